/* SPDX-License-Identifier: MIT */
/* uniform_order.c - see uniform_order.h. */
#include "scene/uniform_order.h"

#include <stddef.h>

#include "base/bits.h"
#include "isa/qpu/facts.h"

enum {
    WORD = 8,
    BRANCH_SLOTS = 3,
    END_SLOTS = 2,
    LONGEST = 4096, /* maximum number of instructions to follow */
    TMUS = 2,
    PARAMETERS = 4,
    NO_SLOTS = ~0,
};

/* State while following a program. */
struct walk {
    struct uniform_order *order;
    uint32_t pc, target;
    /* Number of instructions before the pending branch or program end takes effect, or NO_SLOTS if
     * none is pending. */
    int slots;
    /* True if the walk continues at target after `slots` instructions, false if the walk ends
     * there. */
    bool jumps;
    /* Number of parameters written so far to each TMU's current request. */
    uint8_t parameters[TMUS];
};

static void add(struct walk *walk, struct uniform_read read)
{
    struct uniform_order *order = walk->order;
    read.pc = walk->pc;
    if (order->count < UNIFORM_READS)
        order->read[order->count++] = read;
    else
        order->end = UNIFORMS_TOO_MANY;
}

/* Handles a write to S, T, R or B of a TMU. A write to S ends the request. A request that consists
 * only of a write to S is a memory lookup without texture parameters. */
static void write_tmu(struct walk *walk, unsigned address)
{
    uint8_t unit = address >= QPU_WR_TMU0_S + PARAMETERS;
    bool is_s = address % PARAMETERS == 0;
    uint8_t number = walk->parameters[unit];
    if (number < PARAMETERS && (!is_s || number > 0))
        add(walk, (struct uniform_read){.texture = true, .unit = unit, .parameter = number});
    walk->parameters[unit] = is_s ? 0 : number + 1;
}

static void take_uniforms(struct walk *walk, const struct qpu_facts *facts)
{
    if (facts->accesses & ACCESS_UNIFORM)
        add(walk, (struct uniform_read){0});
    for (unsigned i = 0; i < 2; i++)
        if (facts->write[i].present && facts->write[i].address >= QPU_WR_TMU0_S)
            write_tmu(walk, facts->write[i].address);
}

static void stop(struct walk *walk, enum uniform_end end)
{
    walk->order->end = end;
    walk->order->end_pc = walk->pc;
}

/* Handles a branch. Unconditional forward branches are followed. */
static void branch(struct walk *walk, const struct qpu_facts *facts)
{
    const struct qpu_insn *insn = &facts->insn;
    uint32_t base = insn->rel ? walk->pc + (1 + BRANCH_SLOTS) * WORD : 0;
    walk->target = base + insn->immediate;
    walk->jumps = facts->branch_always && !insn->reg && walk->target > walk->pc;
    walk->slots = BRANCH_SLOTS;
    if (!walk->jumps)
        stop(walk, UNIFORMS_BRANCH);
}

/* Handles branches and the program end. */
static void sequence(struct walk *walk, const struct qpu_facts *facts)
{
    bool under_way = walk->slots != NO_SLOTS;
    if (under_way)
        walk->slots--;
    else if (facts->insn.form == QPU_FORM_BRANCH)
        branch(walk, facts);
    else if (facts->accesses & ACCESS_END) {
        stop(walk, UNIFORMS_PROGRAM_END);
        walk->jumps = false;
        walk->slots = END_SLOTS;
    }
}

/* Handles one instruction. Returns false at the end of the walk. */
static bool step(struct walk *walk, const struct qpu_facts *facts)
{
    take_uniforms(walk, facts);
    if (walk->order->end == UNIFORMS_TOO_MANY)
        return false;
    if (facts->accesses & ACCESS_UNIFORM_ADDRESS) {
        stop(walk, UNIFORMS_ADDRESS);
        return false;
    }
    sequence(walk, facts);
    walk->pc += WORD;
    if (walk->slots != 0)
        return true;
    walk->pc = walk->target;
    walk->slots = NO_SLOTS;
    return walk->jumps;
}

void uniform_order_find(struct uniform_order *order, const struct machine *machine, uint32_t code)
{
    struct walk walk = {.order = order, .pc = code, .slots = NO_SLOTS};
    order->count = 0;
    order->end = UNIFORMS_PROGRAM_END;
    for (uint32_t i = 0; i < LONGEST; i++) {
        uint32_t available;
        const uint8_t *bytes = machine_span(machine, walk.pc, &available);
        if (!bytes || available < WORD) {
            stop(&walk, UNIFORMS_UNMAPPED);
            return;
        }
        struct qpu_facts facts = qpu_facts(load_le64(bytes));
        if (!step(&walk, &facts))
            return;
    }
    stop(&walk, UNIFORMS_TOO_MANY);
}

const struct uniform_read *uniform_order_parameter(const struct uniform_order *order, uint32_t at,
                                                   uint8_t parameter)
{
    const struct uniform_read *read = &order->read[at];
    bool forward = parameter > read->parameter;
    for (uint32_t i = at; i < order->count; i += forward ? 1u : UINT32_MAX) {
        const struct uniform_read *other = &order->read[i];
        if (!other->texture || other->unit != read->unit)
            continue;
        if (other->parameter == parameter)
            return other;
        if (i != at && other->parameter == 0)
            return NULL; /* Further parameters belong to another request. */
    }
    return NULL;
}
