/* SPDX-License-Identifier: MIT */
/* values.c - registers along all ways: never written, lost by a thread switch, or constant.
 *
 * In:     an instruction with the state before it.
 * Out:    findings, and constants for the rules about setups.
 * Source: rules.def. */
#include "isa/qpu/check/walk.h"
#include "isa/qpu/words.h"

void walk_undefined(struct walk *walk)
{
    struct state *state = &walk->state;
    const struct check_facts *facts = walk->facts;
    uint8_t undefined = facts->reads & (uint8_t)~state->accumulators_defined;
    if (facts->makes_zero)
        return;
    for (unsigned i = 0; i < FACTS_FLAGS; i++)
        if (undefined & 1u << i)
            REPORT(walk, CHECK_UNDEFINED_ACCUMULATOR, FLOW_NONE, i,
                   "r%u is read, but was never written", i);
    if (undefined & 1u << FACTS_FLAGS)
        walk_title(walk, CHECK_UNDEFINED_FLAGS, FLOW_NONE);
    state->accumulators_defined |= undefined;
    for (unsigned file = 0; file < 2; file++) {
        unsigned address = facts->port[file];
        bool needed = facts->port_condition[file] != QPU_COND_NEVER;
        if (address >= 32 || !needed || (state->defined[file] & 1u << address))
            continue;
        REPORT(walk, CHECK_UNDEFINED_REGISTER, FLOW_NONE, file * 32 + address,
               "%s is read, but was never written", check_read_name(file, address));
        state->defined[file] |= 1u << address;
    }
}

void walk_lost(struct walk *walk)
{
    struct state *state = &walk->state;
    uint8_t lost = walk->facts->makes_zero ? 0 : walk->facts->reads & state->accumulators_lost;
    for (unsigned i = 0; i < FACTS_FLAGS; i++)
        if (lost & 1u << i)
            REPORT(walk, CHECK_LOST_ACCUMULATOR, state->lost_at, i,
                   "r%u is read, but the thread switch has lost it", i);
    if (lost & 1u << FACTS_FLAGS)
        REPORT(walk, CHECK_LOST_FLAGS, state->lost_at, 0,
               "the flags are used, but the thread switch has lost them");
    state->accumulators_lost &= (uint8_t)~walk->facts->sets;
}

void define_results(struct walk *walk)
{
    struct state *state = &walk->state;
    state->accumulators_defined |= walk->facts->sets;
    for (unsigned unit = 0; unit < 2; unit++) {
        const struct check_write *write = &walk->facts->write[unit];
        if (write->present && write->address < 32)
            state->defined[write->file_b] |= 1u << write->address;
    }
}

/* The place in struct state of a register's constant; CONSTANTS if it has none. */
static unsigned place_of(bool file_b, unsigned address)
{
    if (address < 32)
        return file_b * 32u + address;
    return address >= QPU_WR_ACC0 && address <= QPU_WR_ACC3 ? 64 + address - QPU_WR_ACC0
                                                            : CONSTANTS;
}

/* The number of a value; 0 if there are too many. */
static uint8_t number_of(struct checker *checker, uint32_t value)
{
    unsigned number = 1;
    while (number <= checker->value_count && checker->values[number] != value)
        number++;
    if (number == VALUES_MAX)
        return 0;
    checker->values[number] = value;
    if (number > checker->value_count)
        checker->value_count = number;
    return (uint8_t)number;
}

/* The value of an operand, if it is a constant. */
static bool operand(const struct walk *walk, unsigned mux, uint32_t *value)
{
    const struct qpu_insn *insn = &walk->facts->insn;
    if (mux == QPU_MUX_B && insn->form == QPU_FORM_ALU_IMMEDIATE) {
        *value = qpu_small_immediate(insn->raddr_b);
        return true;
    }
    unsigned address = mux == QPU_MUX_A ? insn->raddr_a : insn->raddr_b, place = CONSTANTS;
    if (mux <= QPU_MUX_R3)
        place = 64 + mux;
    else if (mux >= QPU_MUX_A && address < 32)
        place = place_of(mux == QPU_MUX_B, address);
    if (place == CONSTANTS || walk->state.constant[place] == 0)
        return false;
    *value = walk->checker->values[walk->state.constant[place]];
    return true;
}

static bool is_move_mul(const struct qpu_insn *insn)
{
    return insn->mul_a == insn->mul_b &&
           (insn->op_mul == QPU_MUL_V8MIN || insn->op_mul == QPU_MUL_V8MAX) &&
           !(insn->form == QPU_FORM_ALU_IMMEDIATE && insn->raddr_b >= 48);
}

static bool add_constants(unsigned op, uint32_t a, uint32_t b, uint32_t *value)
{
    switch (op) {
    case QPU_ADD_ADD: *value = a + b; return true;
    case QPU_ADD_SUB: *value = a - b; return true;
    case QPU_ADD_AND: *value = a & b; return true;
    case QPU_ADD_OR: *value = a | b; return true;
    case QPU_ADD_XOR: *value = a ^ b; return true;
    case QPU_ADD_SHL: *value = a << (b & 31); return true;
    case QPU_ADD_SHR: *value = a >> (b & 31); return true;
    case QPU_ADD_NOT: *value = ~a; return true;
    }
    return false;
}

/* What an ALU gives, if it is a constant. */
bool walk_result(const struct walk *walk, unsigned unit, uint32_t *value)
{
    const struct qpu_insn *insn = &walk->facts->insn;
    uint32_t a = 0, b = 0;
    if (insn->form == QPU_FORM_LOAD_32 || insn->form == QPU_FORM_SEMAPHORE) {
        *value = insn->immediate;
        return insn->pack == 0;
    }
    if (qpu_layout(insn->form) != QPU_IN_ALU || insn->unpack || insn->pack)
        return false;
    if (unit == 1)
        return is_move_mul(insn) && operand(walk, insn->mul_a, value);
    if (insn->add_a == insn->add_b &&
        (insn->op_add == QPU_ADD_XOR || insn->op_add == QPU_ADD_SUB)) {
        *value = 0;
        return true;
    }
    bool one = insn->op_add == QPU_ADD_NOT;
    return operand(walk, insn->add_a, &a) && (one || operand(walk, insn->add_b, &b)) &&
           add_constants(insn->op_add, a, b, value);
}

void keep_constants(struct walk *walk)
{
    uint32_t value[2] = {0, 0};
    bool known[2];
    for (unsigned unit = 0; unit < 2; unit++)
        known[unit] = walk_result(walk, unit, &value[unit]);
    for (unsigned unit = 0; unit < 2; unit++) {
        const struct check_write *write = &walk->facts->write[unit];
        unsigned place = place_of(write->file_b, write->address);
        if (!write->present || place == CONSTANTS)
            continue;
        bool keep = known[unit] && write->condition == QPU_COND_ALWAYS;
        walk->state.constant[place] = keep ? number_of(walk->checker, value[unit]) : 0;
    }
}
