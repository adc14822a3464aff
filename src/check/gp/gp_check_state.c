/* SPDX-License-Identifier: MIT */
/* gp_check_state.c - see gp_check_state.h.
 *
 * In:     an instruction and the state before it; states of paths that merge.
 * Out:    the state after the instruction; a state that holds on all merged paths.
 * Source: docs/hardware/utgard.md, section 6: the delays of stores, and the order of effects in an
 *         instruction, which is loads, arithmetic, addr0, stores. */
#include "check/gp/gp_check_state.h"

#include <math.h>
#include <string.h>

void gpc_state_begin(struct gpc_state *state)
{
    memset(state, 0, sizeof *state);
    state->row0 = ROW_UNKNOWN;
}

/* --- merging --- */

static void merge_recent(struct recent *to, const struct recent *from, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (from[i].mask && !to[i].mask)
            to[i] = from[i];
        else if (from[i].mask && to[i].row != from[i].row)
            to[i].row = ROW_UNKNOWN;
        to[i].mask |= from[i].mask;
    }
}

static void merge_values(gpc_value *to, const gpc_value *from, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        to[i] = to[i] == from[i] ? to[i] : VALUE_UNKNOWN;
}

bool gpc_state_merge(void *into, const void *other, bool widen)
{
    struct gpc_state *to = into;
    const struct gpc_state *from = other;
    (void)widen;
    const struct gpc_state before = *to;
    to->registers_must &= from->registers_must;
    to->registers_may |= from->registers_may;
    merge_recent(to->registers, from->registers, REGISTER_WAIT);
    merge_recent(to->temporaries, from->temporaries, TEMPORARY_WAIT);
    merge_recent(to->addresses, from->addresses, ADDRESS_WAIT);
    to->temporary_must &= from->temporary_must;
    to->address_must &= from->address_must;
    to->row0 = to->row0 == from->row0 ? to->row0 : ROW_UNKNOWN;
    to->outputs_must &= from->outputs_must;
    to->outputs_may |= from->outputs_may;
    merge_values(to->one_back, from->one_back, GP_UNITS);
    merge_values(to->two_back, from->two_back, GP_UNITS);
    merge_values(to->load_back, from->load_back, 4);
    merge_values(to->contents, from->contents, COMPONENTS);
    return memcmp(&before, to, sizeof before) != 0;
}

void gpc_state_drain(struct gpc_state *state)
{
    memset(state->registers, 0, sizeof state->registers);
    memset(state->temporaries, 0, sizeof state->temporaries);
    memset(state->addresses, 0, sizeof state->addresses);
}

/* --- values --- */

/* Returns the value that a load unit delivers for a component. */
static gpc_value load(const struct gpc_walk *walk, enum gp_unit unit, unsigned component)
{
    const struct gp_insn *insn = &walk->facts->insn;
    unsigned number = unit == GP_UNIT_LOAD0 ? insn->register0_addr : insn->register1_addr;
    if (unit == GP_UNIT_LOAD0 && insn->register0_attribute)
        return (gpc_value)(VALUE_ATTRIBUTE + number * 4u + component);
    return walk->state->contents[number * 4 + component];
}

static gpc_value operand_value(const struct gpc_walk *walk, const struct gp_operand *operand)
{
    const struct gp_source_row *source = &gp_sources[operand->source];
    const struct gpc_facts *facts = walk->facts;
    unsigned component = operand->source & 3;
    if (operand->identity)
        return VALUE_UNKNOWN;
    switch (source->unit) {
    case GP_UNIT_LOAD0:
        return source->back ? walk->state->load_back[component]
                            : load(walk, GP_UNIT_LOAD0, component);
    case GP_UNIT_LOAD1: return load(walk, GP_UNIT_LOAD1, component);
    case GP_UNIT_ROW:
        return facts->offset || facts->insn.load_offset != GP_NO_OFFSET
                   ? VALUE_UNKNOWN
                   : (gpc_value)(VALUE_ROW + facts->insn.load_addr * 4u + component);
    case GP_UNIT_NONE: return VALUE_UNKNOWN;
    default:
        return source->back == 1 ? walk->state->one_back[source->unit]
                                 : walk->state->two_back[source->unit];
    }
}

static void step_operands(struct gpc_walk *walk)
{
    for (unsigned i = 0; i < walk->facts->operand_count; i++)
        walk->checker->operands[walk->at][i] = operand_value(walk, &walk->facts->operands[i]);
}

gpc_value gpc_result(const struct gpc_walk *walk, enum gp_unit unit)
{
    const struct gpc_facts *facts = walk->facts;
    if (!(facts->makes >> unit & 1))
        return VALUE_UNKNOWN;
    if (!gpc_is_move(facts, unit))
        return value_made(walk->at, unit);
    const struct gp_operand *operand = gpc_operand(facts, unit, 0);
    return operand ? walk->checker->operands[walk->at][operand - facts->operands] : VALUE_UNKNOWN;
}

/* --- one step --- */

/* Shifts the entries by one instruction, and sets the first entry from the arguments. */
static void age(struct recent *recent, unsigned count, uint64_t mask, uint32_t at, uint16_t row)
{
    memmove(recent + 1, recent, (count - 1) * sizeof *recent);
    memset(recent, 0, sizeof *recent);
    if (mask)
        *recent = (struct recent){.mask = mask, .at = (uint16_t)at, .row = row};
}

/* Returns the row that the instruction sets an address register to, or ROW_UNKNOWN if the value is
 * known only when the program runs. */
static uint16_t row_set(const struct gpc_walk *walk)
{
    const struct gp_insn *insn = &walk->facts->insn;
    bool from_pass = insn->complex_op == GP_COMPLEX_ADDR01;
    float value;
    if ((from_pass && insn->pass_op != GP_PASS_MOV) ||
        !gpc_constant(walk->checker, walk->at, from_pass ? insn->pass_src : insn->complex_src,
                      &value))
        return ROW_UNKNOWN;
    return value >= 0 && value < GP_ROWS ? (uint16_t)floorf(value) : ROW_UNKNOWN;
}

static void step_stores(struct gpc_walk *walk, const gpc_value results[GP_UNITS])
{
    struct gpc_state *state = walk->state;
    uint64_t registers = 0, temporaries = 0;
    for (unsigned i = 0; i < walk->facts->store_count; i++) {
        const struct gp_store *store = &walk->facts->stores[i];
        unsigned component = store->number * 4u + store->component;
        uint64_t bit = UINT64_C(1) << component;
        if (store->temporary) {
            temporaries |= UINT64_C(1) << store->component;
        } else if (store->varying) {
            state->outputs_must |= bit;
            state->outputs_may |= bit;
        } else {
            registers |= bit;
            state->contents[component] = results[gp_store_sources[store->source].unit];
        }
    }
    state->registers_must |= registers;
    state->registers_may |= registers;
    state->temporary_must |= temporaries != 0;
    age(state->registers, REGISTER_WAIT, registers, walk->at, 0);
    age(state->temporaries, TEMPORARY_WAIT, temporaries, walk->at, state->row0);
}

void gpc_step(struct gpc_walk *walk)
{
    struct gpc_state *state = walk->state;
    gpc_value results[GP_UNITS], loads[4];
    step_operands(walk);
    for (unsigned unit = 0; unit < GP_UNITS; unit++)
        results[unit] = gpc_result(walk, (enum gp_unit)unit);
    for (unsigned i = 0; i < 4; i++)
        loads[i] = load(walk, GP_UNIT_LOAD0, i);
    if (walk->facts->addresses & 1)
        state->row0 = row_set(walk);
    state->address_must |= walk->facts->addresses;
    age(state->addresses, ADDRESS_WAIT, walk->facts->addresses, walk->at, 0);
    step_stores(walk, results);
    memcpy(state->two_back, state->one_back, sizeof state->two_back);
    memcpy(state->one_back, results, sizeof results);
    memcpy(state->load_back, loads, sizeof loads);
}
