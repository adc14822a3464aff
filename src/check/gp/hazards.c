/* SPDX-License-Identifier: MIT */
/* hazards.c - rules about delayed effects: stores to registers and temporaries, and changes of
 * address registers.
 *
 * In:     an instruction and the state before it.
 * Out:    findings.
 * Source: Utgard-GP.md of cwabbott0/mali-isa-docs, "Latencies"; docs/hardware/utgard.md, section
 *         6. */
#include "check/gp/gp_check_state.h"

/* --- registers --- */

/* Returns a mask of the components of the loaded register that are read. The instruction itself can
 * read the components of both load units. The next instruction can also read the components of load
 * unit 0. */
static unsigned components_read(const struct gpc_walk *walk, enum gp_unit unit)
{
    const struct gpc_checker *checker = walk->checker;
    const struct gpc_flow *flow = &checker->flow;
    unsigned components = gp_reads(&walk->facts->insn, unit, 0);
    for (uint32_t i = flow->first_after[walk->at]; i < flow->first_after[walk->at + 1]; i++)
        if (unit == GP_UNIT_LOAD0 && flow->edges[i].to < flow->count)
            components |= gp_reads(&checker->facts[flow->edges[i].to].insn, unit, 1);
    return components;
}

static void check_component(const struct gpc_walk *walk, unsigned number, unsigned component)
{
    const struct gpc_state *state = walk->state;
    unsigned subject = number * 4 + component;
    char name = "xyzw"[component];
    for (unsigned i = 0; i < REGISTER_WAIT; i++) {
        if (!(state->registers[i].mask >> subject & 1))
            continue;
        REPORT(
            walk, CHECK_GP_REGISTER_EARLY, CHECK_OTHER(state->registers[i].at, i + 1, subject),
            "%c of register %u is loaded %u instruction%s after its store; at least %u are needed",
            name, number, i + 1, i ? "s" : "", REGISTER_WAIT + 1);
        break;
    }
    if (!(state->registers_must >> subject & 1))
        REPORT(walk, CHECK_GP_REGISTER_UNSET, CHECK_SUBJECT(subject),
               "%c of register %u is loaded, but has not been stored%s", name, number,
               state->registers_may >> subject & 1 ? " on one path" : "");
}

static void check_load(const struct gpc_walk *walk, enum gp_unit unit, unsigned number)
{
    unsigned components = components_read(walk, unit);
    for (unsigned component = 0; component < 4; component++)
        if (components >> component & 1)
            check_component(walk, number, component);
}

void gpc_check_registers(const struct gpc_walk *walk)
{
    const struct gp_insn *insn = &walk->facts->insn;
    if (!insn->register0_attribute)
        check_load(walk, GP_UNIT_LOAD0, insn->register0_addr);
    check_load(walk, GP_UNIT_LOAD1, insn->register1_addr);
}

/* --- temporaries --- */

/* Returns true if the loaded row may be a temporary. An undeclared row may be a temporary only if
 * an address register selects the row. */
static bool may_load_temporary(const struct gpc_walk *walk)
{
    const struct gpc_interface *interface = &walk->checker->interface;
    const struct tess_gp_symbol *row = interface->rows[walk->facts->insn.load_addr];
    if (interface->declared && row)
        return row->kind == TESS_GP_TEMPORARY;
    return walk->facts->offset != 0;
}

void gpc_check_temporaries(const struct gpc_walk *walk)
{
    const struct gpc_state *state = walk->state;
    unsigned components = gp_reads(&walk->facts->insn, GP_UNIT_ROW, 0);
    if (!components || !may_load_temporary(walk))
        return;
    for (unsigned i = 0; i < TEMPORARY_WAIT; i++) {
        const struct recent *recent = &state->temporaries[i];
        bool known = recent->row != ROW_UNKNOWN && !walk->facts->offset;
        if (!(recent->mask & components) || (known && recent->row != walk->facts->insn.load_addr))
            continue;
        REPORT(walk, CHECK_GP_TEMPORARY_EARLY, CHECK_OTHER(recent->at, i + 1, 0),
               "a temporary is loaded %u instruction%s after a store; at least %u are needed",
               i + 1, i ? "s" : "", TEMPORARY_WAIT + 1);
        break;
    }
}

bool gpc_loads_unset_temporary(const struct gpc_walk *walk)
{
    return gp_reads(&walk->facts->insn, GP_UNIT_ROW, 0) && may_load_temporary(walk) &&
           walk->checker->interface.declared && !walk->state->temporary_must;
}

/* --- address registers --- */

void gpc_check_address(const struct gpc_walk *walk)
{
    const struct gpc_state *state = walk->state;
    unsigned number = walk->facts->offset;
    if (!number || !gp_reads(&walk->facts->insn, GP_UNIT_ROW, 0))
        return;
    for (unsigned i = 0; i < ADDRESS_WAIT; i++) {
        if (!(state->addresses[i].mask >> number & 1))
            continue;
        REPORT(walk, CHECK_GP_ADDRESS_EARLY, CHECK_OTHER(state->addresses[i].at, i + 1, 0),
               "addr%u is used %u instruction%s after it was set; at least %u are needed", number,
               i + 1, i ? "s" : "", ADDRESS_WAIT + 1);
        break;
    }
    if (!(state->address_must >> number & 1))
        REPORT(walk, CHECK_GP_ADDRESS_UNSET, CHECK_ALONE,
               "addr%u is used, but is not set on every path", number);
}

/* Returns true if addr0 is not set. A temporary store may use addr0 in the instruction that sets
 * it. */
bool gpc_stores_without_address(const struct gpc_walk *walk)
{
    uint8_t set = walk->state->address_must | walk->facts->addresses;
    return walk->facts->stores_temporary && !(set & 1);
}
