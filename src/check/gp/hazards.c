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

static void check_component(const struct gpc_walk *walk, enum check_rule rule, unsigned number,
                            unsigned component)
{
    const struct gpc_state *state = walk->state;
    unsigned subject = number * 4 + component, i = 0;
    char name = "xyzw"[component];
    while (i < REGISTER_WAIT && !(state->registers[i].mask >> subject & 1))
        i++;
    if (rule == CHECK_GP_REGISTER_EARLY && i < REGISTER_WAIT)
        REPORT(
            walk, rule, CHECK_OTHER(state->registers[i].at, i + 1, subject),
            "%c of register %u is loaded %u instruction%s after its store; at least %u are needed",
            name, number, i + 1, i ? "s" : "", REGISTER_WAIT + 1);
    if (rule == CHECK_GP_REGISTER_UNSET && !(state->registers_must >> subject & 1))
        REPORT(walk, rule, CHECK_SUBJECT(subject),
               "%c of register %u is loaded, but has not been stored%s", name, number,
               state->registers_may >> subject & 1 ? " on one path" : "");
}

/* Checks the components of registers that are loaded and read. */
void gpc_check_registers(const struct gpc_walk *walk, enum check_rule rule)
{
    const struct gp_insn *insn = &walk->facts->insn;
    for (unsigned unit = insn->register0_attribute; unit < 2; unit++) {
        unsigned components = components_read(walk, unit ? GP_UNIT_LOAD1 : GP_UNIT_LOAD0);
        for (unsigned i = 0; i < 4; i++)
            if (components >> i & 1)
                check_component(walk, rule, unit ? insn->register1_addr : insn->register0_addr, i);
    }
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

/* Checks the address register that selects a row that is read. */
void gpc_check_address(const struct gpc_walk *walk, enum check_rule rule)
{
    const struct gpc_state *state = walk->state;
    unsigned number = walk->facts->offset, i = 0;
    if (!number || !gp_reads(&walk->facts->insn, GP_UNIT_ROW, 0))
        return;
    while (i < ADDRESS_WAIT && !(state->addresses[i].mask >> number & 1))
        i++;
    if (rule == CHECK_GP_ADDRESS_EARLY && i < ADDRESS_WAIT)
        REPORT(walk, rule, CHECK_OTHER(state->addresses[i].at, i + 1, 0),
               "addr%u is used %u instruction%s after it was set; at least %u are needed", number,
               i + 1, i ? "s" : "", ADDRESS_WAIT + 1);
    if (rule == CHECK_GP_ADDRESS_UNSET && !(state->address_must >> number & 1))
        REPORT(walk, rule, CHECK_ALONE, "addr%u is used, but is not set on every path", number);
}

/* Returns true if addr0 is not set. A temporary store may use addr0 in the instruction that sets
 * it. */
bool gpc_stores_without_address(const struct gpc_walk *walk)
{
    uint8_t set = walk->state->address_must | walk->facts->addresses;
    return walk->facts->stores_temporary && !(set & 1);
}
