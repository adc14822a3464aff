/* SPDX-License-Identifier: MIT */
/* outputs.c - rules about varyings: stores that are overwritten, and varyings that are not written
 * when the program ends.
 *
 * In:     an instruction and the state before it; the state after the last instruction; the
 *         interface.
 * Out:    findings.
 * Source: docs/hardware/utgard.md, sections 7 and 11. */
#include "check/gp/gp_check_state.h"

enum { W = 3 };

/* Returns true if the instruction stores w of the position, and the value is known and not a
 * reciprocal. */
bool gpc_position_lacks_reciprocal(const struct gpc_walk *walk)
{
    for (unsigned i = 0; i < walk->facts->store_count; i++) {
        const struct gp_store *store = &walk->facts->stores[i];
        gpc_value value = gpc_result(walk, gp_store_sources[store->source].unit);
        if (store->varying && !store->temporary && store->component == W &&
            store->number == walk->checker->interface.position && value != VALUE_UNKNOWN &&
            !gpc_is_reciprocal(walk, value))
            return true;
    }
    return false;
}

/* --- overwritten stores --- */

/* Returns the components of varyings that the instruction stores, bits 1 << (4 * number +
 * component). */
static uint64_t stored(const struct gpc_checker *checker, uint32_t at)
{
    const struct gpc_facts *facts = &checker->facts[at];
    uint64_t components = 0;
    for (unsigned i = 0; i < facts->store_count; i++) {
        const struct gp_store *store = &facts->stores[i];
        if (store->varying && !store->temporary)
            components |= UINT64_C(1) << (store->number * 4u + store->component);
    }
    return components;
}

/* Returns the components whose value after the instruction is still unchanged at the end of the
 * program on at least one path. kept[count] belongs to the end of the program and has all bits
 * set. */
static uint64_t kept_after(const struct gpc_flow *flow, const uint64_t *kept, uint32_t at)
{
    uint64_t components = 0;
    for (uint32_t i = flow->first_after[at]; i < flow->first_after[at + 1]; i++)
        components |= kept[flow->edges[i].to];
    return components;
}

/* Sets kept[i] to the components whose value before instruction i is still unchanged at the end of
 * the program on at least one path. */
static void find_kept(const struct gpc_checker *checker, uint64_t kept[GP_PROGRAM_MAX + 1])
{
    bool changed = true;
    kept[checker->count] = UINT64_MAX;
    while (changed) {
        changed = false;
        for (uint32_t i = checker->count; i-- > 0;) {
            uint64_t now = kept_after(&checker->flow, kept, i) & ~stored(checker, i);
            changed |= now != kept[i];
            kept[i] = now;
        }
    }
}

/* Returns the number of the instruction that overwrites the component. This is the next instruction
 * that stores the component or, in a loop, an earlier instruction. */
static uint32_t overwriter(const struct gpc_checker *checker, uint32_t at, unsigned component)
{
    for (uint32_t i = 1; i < checker->count; i++) {
        uint32_t other = (at + i) % checker->count;
        if (checker->flow.reached[other] && stored(checker, other) >> component & 1)
            return other;
    }
    return at;
}

static void check_lost(struct gpc_checker *checker, uint32_t at, uint64_t lost)
{
    for (; lost; lost &= lost - 1) {
        unsigned component = (unsigned)__builtin_ctzll(lost);
        check_report(&checker->out, CHECK_GP_VARYING_TWICE, overwriter(checker, at, component),
                     CHECK_OTHER(at, 0, component),
                     "%c of varying %u is written again; its first value is lost",
                     "xyzw"[component % 4], component / 4);
    }
}

void gpc_check_lost_stores(const struct gpc_walk *walk)
{
    struct gpc_checker *checker = walk->checker;
    uint64_t kept[GP_PROGRAM_MAX + 1] = {0};
    find_kept(checker, kept);
    for (uint32_t i = 0; i < checker->count; i++)
        if (checker->flow.reached[i] && checker->flow.ends[i])
            check_lost(checker, i, stored(checker, i) & ~kept_after(&checker->flow, kept, i));
}

/* --- end of the program --- */

static void check_varying(const struct gpc_walk *walk, enum check_rule rule, unsigned number)
{
    const struct gpc_interface *interface = &walk->checker->interface;
    const struct tess_gp_symbol *varying = interface->varyings[number];
    uint64_t must = walk->state->outputs_must >> number * 4,
             may = walk->state->outputs_may >> number * 4;
    unsigned wanted = varying ? (1u << varying->components) - 1 : 0;
    unsigned missing = wanted & ~(unsigned)must, never = missing & ~(unsigned)may;
    char components[5] = "";
    unsigned shown = never ? never : missing, count = 0;
    for (unsigned i = 0; i < 4; i++)
        if (shown >> i & 1)
            components[count++] = "xyzw"[i];
    if (missing)
        REPORT(walk, rule, CHECK_SUBJECT(number), "%s.%s is not written%s", varying->name,
               components, never ? "" : " on one path");
}

/* One rule is about the position, the other about all other varyings. */
void gpc_check_varyings(const struct gpc_walk *walk, enum check_rule rule)
{
    int position = walk->checker->interface.position;
    for (unsigned i = 0; i < GP_VARYINGS; i++)
        if (((int)i == position) == (rule == CHECK_GP_POSITION_UNWRITTEN))
            check_varying(walk, rule, i);
}
