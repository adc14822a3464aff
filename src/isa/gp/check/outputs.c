/* SPDX-License-Identifier: MIT */
/* outputs.c - rules about varyings: what is written twice, and what is not written at the end.
 *
 * In:     an instruction with the state before it; the state behind the last one; the interface.
 * Out:    findings.
 * Source: digest utgard.md, sections 7 and 11. */
#include "isa/gp/check/state.h"

enum { W = 3 };

static void check_store(struct gpc_walk *walk, const struct gp_store *store)
{
    const struct gpc_state *state = walk->state;
    const struct gpc_interface *interface = &walk->checker->interface;
    unsigned component = store->number * 4u + store->component;
    gpc_value value = gpc_result(walk, gp_store_sources[store->source].unit);
    if (state->outputs_may >> component & 1)
        gpc_report(walk->checker, CHECK_GP_VARYING_TWICE, walk->at,
                   GPC_OTHER(state->output_at[component], 0, component),
                   "%c of varying %u is written again", "xyzw"[store->component], store -> number);
    if (store->number == interface->position && store->component == W && value != VALUE_UNKNOWN &&
        !gpc_is_reciprocal(walk, value))
        gpc_report_title(walk->checker, CHECK_GP_POSITION_W, walk->at);
}

void gpc_check_outputs(struct gpc_walk *walk)
{
    for (unsigned i = 0; i < walk->facts->store_count; i++) {
        const struct gp_store *store = &walk->facts->stores[i];
        if (store->varying && !store->temporary)
            check_store(walk, store);
    }
}

static void check_varying(struct gpc_walk *walk, unsigned number)
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
    bool position = (int)number == interface->position;
    if (missing)
        gpc_report(walk->checker,
                   position ? CHECK_GP_POSITION_UNWRITTEN : CHECK_GP_VARYING_UNWRITTEN, walk->at,
                   GPC_SUBJECT(number), "%s.%s is not written%s", varying->name, components,
                   never ? "" : " on one way");
}

void gpc_check_end(struct gpc_walk *walk)
{
    for (unsigned i = 0; i < GP_VARYINGS; i++)
        check_varying(walk, i);
}
