/* SPDX-License-Identifier: MIT */
/* values.c - tracks registers along all paths: never written, lost by a thread switch, or constant.
 *
 * In:     an instruction with the state before it.
 * Out:    findings, and constants for the rules about setups.
 * Source: qpu_rules.def. */
#include <stdio.h>

#include "check/qpu/qpu_walk.h"
#include "isa/qpu/sides.h"

enum { FLAGS = 64 + FACTS_FLAGS };

static void put_place(char *text, size_t size, unsigned place)
{
    static const char *const files[] = {"ra", "rb", "r"};
    snprintf(text, size, "%s%u", files[place / 32], place % 32);
}

/* Returns the end of the message about a place that was never written. An instruction cannot name
 * r4 or r5 as its target, so the text lists the instructions that write them. */
static const char *never(unsigned place)
{
    static const char *const texts[] = {
        [4] =
            "never written: only signals such as ldtmu0 and the special functions "
            "write it" WITH_HINT
            "load it by ldtmu0 or ldtmu1 after a lookup, or write to recip, recipsqrt, exp or log "
            "three instructions before; keep other values in r0 to r3",
        [5] = "never written: r5quad and r5rep write it" WITH_HINT
              "write it by r5rep or r5quad first",
        [FACTS_FLAGS] = "never set",
    };
    const char *text = place >= 64 ? texts[place - 64] : NULL;
    return text ? text : "never written";
}

/* Returns the registers that the instruction reads and some path has not written, without those
 * whose undefined read was reported on all paths. */
static struct places doubtful(const struct walk *walk)
{
    const struct state *state = walk->state;
    const struct qpu_facts *facts = walk->facts;
    uint64_t files = 0;
    for (unsigned file = 0; file < 2; file++)
        if (facts->port[file] < 32 && facts->port_condition[file] != QPU_COND_NEVER)
            files |= UINT64_C(1) << (file * 32 + facts->port[file]);
    if (facts->makes_zero)
        return (struct places){0, 0};
    return (struct places){
        files & ~(state->surely.files | state->told.files),
        (uint8_t)(facts->reads & ~(state->surely.accumulators | state->told.accumulators))};
}

/* Returns the end of the message about a doubtful register, or NULL if it has a value. In a loop,
 * the first write of a register may come after the read. The register then has no value on the
 * first pass, which matters if the read does not depend on the flags. */
static const char *lack_of(const struct walk *walk, unsigned place)
{
    const struct qpu_facts *facts = walk->facts;
    bool always = place == FLAGS ||
                  (place < 64 ? facts->port_condition[place / 32] == QPU_COND_ALWAYS
                              : facts->reads_always & 1u << (place - 64));
    if (!state_is_defined(walk->state, place))
        return never(place);
    if (!always || first_may_be_written(walk->checker, walk->node, place))
        return NULL;
    return place == FLAGS
               ? "not yet set when the program first reaches this instruction" WITH_HINT
                 "set them before the loop"
               : "not yet written when the program first reaches this instruction" WITH_HINT
                 "write it before the loop";
}

/* Reports registers without a value. One rule is about the flags. */
void qpu_check_undefined(const struct walk *walk, enum check_rule rule)
{
    const struct places doubt = doubtful(walk);
    bool flags = rule == CHECK_UNDEFINED_FLAGS;
    char name[16] = "the flags";
    for (unsigned place = 0; place <= FLAGS && (doubt.files || doubt.accumulators); place++) {
        bool asked = places_have(&doubt, place) && (place == FLAGS) == flags;
        const char *lack = asked ? lack_of(walk, place) : NULL;
        if (lack && !flags)
            put_place(name, sizeof name, place);
        if (lack)
            FOUND(walk, rule, CHECK_NONE, place,
                  flags ? "%s are used, but were %s" : "%s is read, but was %s", name, lack);
    }
}

/* Records registers that are read on all paths without a value, so that each is reported once. */
void walk_undefined(struct walk *walk)
{
    struct state *state = walk->state;
    const struct places doubt = doubtful(walk);
    state->told.files |= doubt.files & ~((uint64_t)state->defined[1] << 32 | state->defined[0]);
    state->told.accumulators |= doubt.accumulators & (uint8_t)~state->accumulators_defined;
}

void qpu_check_lost(const struct walk *walk)
{
    const struct state *state = walk->state;
    uint8_t lost = walk->facts->makes_zero ? 0 : walk->facts->reads & state->accumulators_lost;
    for (unsigned i = 0; i < FACTS_FLAGS; i++)
        if (lost & 1u << i)
            FOUND(walk, CHECK_LOST, state->lost_at, i,
                  "r%u is read, but the thread switch did not keep it", i);
    if (lost & 1u << FACTS_FLAGS)
        FOUND(walk, CHECK_LOST, state->lost_at, FACTS_FLAGS,
              "the flags are used, but the thread switch did not keep them");
}

/* Returns the place of a register whose value is tracked, or CONSTANTS if it is not. */
static unsigned place_of(bool file_b, unsigned address)
{
    if (address < 32)
        return file_b * 32u + address;
    return address >= QPU_WR_ACC0 && address <= QPU_WR_ACC3 ? 64 + address - QPU_WR_ACC0
                                                            : CONSTANTS;
}

/* Returns the place of an operand, or CONSTANTS if its value is not tracked. */
static unsigned source_of(const struct qpu_insn *insn, unsigned mux)
{
    if (mux <= QPU_MUX_R3)
        return 64 + mux;
    if (mux == QPU_MUX_A)
        return insn->raddr_a < 32 ? insn->raddr_a : CONSTANTS;
    bool file_b = mux == QPU_MUX_B && insn->form != QPU_FORM_ALU_IMMEDIATE && insn->raddr_b < 32;
    return file_b ? 32u + insn->raddr_b : CONSTANTS;
}

/* --- registers that are written in part, under a condition --- */

/* Returns the place of an ALU's operand if only a part of that register is written, or CONSTANTS if
 * the ALU has no such operand. Rotations are excluded because they move elements. */
static unsigned partial_source(const struct walk *walk, unsigned unit)
{
    const struct qpu_insn *insn = &walk->facts->insn;
    const struct qpu_op_words *op = unit ? qpu_mul_words(insn->op_mul)
                                         : qpu_add_words(insn->op_add);
    const uint8_t muxes[2] = {unit ? insn->mul_a : insn->add_a, unit ? insn->mul_b : insn->add_b};
    bool alu = qpu_layout(insn->form) == QPU_IN_ALU && op && !walk->facts->makes_zero;
    if (!alu || (unit && qpu_rotation(insn) >= 0))
        return CONSTANTS;
    for (unsigned i = 0; i < op->sources; i++) {
        unsigned place = source_of(insn, muxes[i]);
        if (place < CONSTANTS && walk->state->partial[place])
            return place;
    }
    return CONSTANTS;
}

/* Returns the new partial[] of a register: the condition that all its writes have, or 0 if the
 * register is written as a whole or under several conditions. */
static uint8_t partial_after(const struct walk *walk, unsigned unit, unsigned place)
{
    const struct state *state = walk->state;
    unsigned condition = walk->facts->write[unit].condition;
    unsigned source = partial_source(walk, unit);
    if (condition == QPU_COND_ALWAYS)
        return source < CONSTANTS ? state->partial[source] : 0;
    bool first = !state_is_defined(state, place);
    return first || state->partial[place] == condition ? (uint8_t)condition : 0;
}

void walk_partial(struct walk *walk)
{
    struct state *state = walk->state;
    const struct qpu_facts *facts = walk->facts;
    unsigned place[2];
    uint8_t after[2];
    for (unsigned unit = 0; unit < 2; unit++) {
        const struct qpu_write *write = &facts->write[unit];
        place[unit] = write->present ? place_of(write->file_b, write->address) : CONSTANTS;
        after[unit] = place[unit] < CONSTANTS ? partial_after(walk, unit, place[unit]) : 0;
    }
    if (place[0] == place[1])
        after[0] = after[1] = 0;
    for (unsigned unit = 0; unit < 2; unit++)
        if (place[unit] < CONSTANTS)
            state->partial[place[unit]] = after[unit];
    for (unsigned i = 0; i < CONSTANTS && (facts->sets & 1 << FACTS_FLAGS); i++)
        state->partial[i] |= state->partial[i] ? PARTIAL_OTHER_FLAGS : 0;
}

/* Returns the nearest conditional write of a register before the instruction, or CHECK_NONE if the
 * last 64 instructions contain none. */
static uint32_t conditional_write(const struct walk *walk, unsigned place)
{
    enum { NEAR = 64 };
    for (uint32_t i = 1; i <= NEAR && i <= walk->word; i++) {
        const struct qpu_facts *facts = &walk->checker->facts[walk->word - i];
        for (unsigned unit = 0; unit < 2; unit++) {
            const struct qpu_write *write = &facts->write[unit];
            if (write->present && write->condition > QPU_COND_ALWAYS &&
                place_of(write->file_b, write->address) == place)
                return walk->word - i;
        }
    }
    return CHECK_NONE;
}

/* Reports registers that are written in part, where they are written to an output (the VPM or the
 * tile buffer). Other operations may discard the elements that have no value. */
void qpu_check_partial_value(const struct walk *walk)
{
    for (unsigned unit = 0; unit < 2; unit++) {
        const struct qpu_write *write = &walk->facts->write[unit];
        bool output = write->address == QPU_WR_VPM ||
                      (write->address >= QPU_WR_TLB_Z && write->address <= QPU_WR_TLB_COLOUR_ALL);
        unsigned source = partial_source(walk, unit);
        char name[16];
        if (!write->present || !output || write->condition != QPU_COND_ALWAYS ||
            source == CONSTANTS)
            continue;
        put_place(name, sizeof name, source);
        FOUND(
            walk, CHECK_PARTIAL_VALUE, conditional_write(walk, source), source,
            "all elements of %s are written to %s, but some have a value only under one condition",
            name, check_write_name(write->file_b, write->address));
    }
}

void define_results(struct walk *walk)
{
    struct state *state = walk->state;
    state->accumulators_lost &= (uint8_t)~walk->facts->sets;
    state->accumulators_defined |= walk->facts->sets;
    state->surely.accumulators |= walk->facts->sets;
    for (unsigned unit = 0; unit < 2; unit++) {
        const struct qpu_write *write = &walk->facts->write[unit];
        if (!write->present || write->address >= 32)
            continue;
        state->defined[write->file_b] |= 1u << write->address;
        places_put(&state->surely, write->file_b * 32u + write->address, true);
    }
}

/* Returns the index of a value, or 0 if the table is full. */
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

bool walk_operand(const struct walk *walk, unsigned mux, uint32_t *value)
{
    const struct qpu_insn *insn = &walk->facts->insn;
    if (mux == QPU_MUX_B && insn->form == QPU_FORM_ALU_IMMEDIATE) {
        *value = qpu_small_immediate(insn->raddr_b);
        return true;
    }
    unsigned place = source_of(insn, mux);
    if (place == CONSTANTS || walk->state->constant[place] == 0)
        return false;
    *value = walk->checker->values[walk->state->constant[place]];
    return true;
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
        return qpu_moves(insn, true) && walk_operand(walk, insn->mul_a, value);
    if (insn->add_a == insn->add_b &&
        (insn->op_add == QPU_ADD_XOR || insn->op_add == QPU_ADD_SUB)) {
        *value = 0;
        return true;
    }
    bool one = insn->op_add == QPU_ADD_NOT;
    return walk_operand(walk, insn->add_a, &a) && (one || walk_operand(walk, insn->add_b, &b)) &&
           add_constants(insn->op_add, a, b, value);
}

void keep_constants(struct walk *walk)
{
    uint32_t value[2] = {0, 0};
    bool known[2];
    for (unsigned unit = 0; unit < 2; unit++)
        known[unit] = walk_result(walk, unit, &value[unit]);
    for (unsigned unit = 0; unit < 2; unit++) {
        const struct qpu_write *write = &walk->facts->write[unit];
        unsigned place = place_of(write->file_b, write->address);
        if (!write->present || place == CONSTANTS)
            continue;
        bool keep = known[unit] && write->condition == QPU_COND_ALWAYS;
        walk->state->constant[place] = keep ? number_of(walk->checker, value[unit]) : 0;
    }
}
