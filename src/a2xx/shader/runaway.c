/* SPDX-License-Identifier: MIT */
/* runaway.c - reports lanes that have reached the instruction limit, with the loop and the reason
 * why it does not end.
 *
 * In:      the group's position in the program.
 * Out:     one finding, at the jump back of the innermost loop.
 * Left out: an analysis of values that change in the loop. */
#include <stdio.h>

#include "a2xx/shader/core.h"
#include "a2xx/shader/find.h"
#include "base/diag.h"

enum { NOWHERE = UINT32_MAX };

struct loop {
    /* numbers of two control-flow instructions: the first one of the loop, and the jump back */
    uint32_t from, to;
};

/* Finds the first jump that is at or after `at` and whose target is at or before `at`. */
static struct loop find_jump(const struct a2xx_code *code, uint32_t at)
{
    for (uint32_t i = at; i < 2 * code->cf_slots; i++) {
        const struct a2xx_cf *cf = &code->cf[i];
        if (cf->opcode == A2XX_CF_COND_JMP && cf->jump.address <= at)
            return (struct loop){cf->jump.address, i};
    }
    return (struct loop){NOWHERE, NOWHERE};
}

/* Finds a loop that ends with a jump back. The loop contains the lane's position, or a call of the
 * subroutine in which the lane is. */
static struct loop find_loop(const struct a2xx_machine *machine, unsigned lane)
{
    struct loop loop = find_jump(machine->code, machine->here);
    for (unsigned i = machine->calls[lane]; i > 0 && loop.to == NOWHERE; i--)
        loop = find_jump(machine->code, machine->back[i - 1][lane] - 1u);
    return loop;
}

/* --- loops with a constant --- */

/* Finds the first LOOP_END that is at or after `from` and whose loop contains the position `at`. */
static struct loop find_counted(const struct a2xx_code *code, uint32_t at, uint32_t from)
{
    for (uint32_t i = from; i < 2 * code->cf_slots; i++) {
        const struct a2xx_cf *cf = &code->cf[i];
        if (cf->opcode == A2XX_CF_LOOP_END && cf->loop.address && cf->loop.address - 1 <= at)
            return (struct loop){cf->loop.address - 1, i};
    }
    return (struct loop){NOWHERE, NOWHERE};
}

/* Lists the counted loops (LOOP_START to LOOP_END) that contain the position, innermost first.
 * Returns the number of loops. */
static unsigned list_counted(const struct a2xx_machine *machine, uint32_t at,
                             struct loop list[A2XX_STACK])
{
    unsigned count = 0;
    for (uint32_t from = at; count < A2XX_STACK; from = list[count++].to + 1) {
        list[count] = find_counted(machine->code, at, from);
        if (list[count].to == NOWHERE)
            break;
    }
    return count;
}

/* Reports that the limit was reached in counted loops. The message has the position, loop constant
 * and iteration of each loop. Returns false if the lane is in no counted loop. */
static bool find_counting(struct a2xx_machine *machine, a2xx_mask lanes)
{
    enum { TEXT = 200, LISTED = 2 };
    struct loop list[A2XX_STACK];
    char text[TEXT] = "";
    size_t length = 0;
    unsigned lane = first_lane(lanes), depth = machine->loops[lane];
    unsigned calls = machine->calls[lane];
    uint32_t at = machine->here, line = machine->line;
    unsigned count = list_counted(machine, at, list);
    if (count == 0 && calls > 0)
        count = list_counted(machine, machine->back[calls - 1][lane] - 1u, list);
    if (count == 0 || depth == 0)
        return false;
    for (unsigned i = 0; i < count && i < depth && i < LISTED; i++) {
        unsigned level = depth - 1 - i, id = machine->loop_id[level][lane];
        length += (size_t)snprintf(text + length, TEXT - length,
                                   "%s from control flow %u to %u is in iteration %u of %u (loop "
                                   "constant %u)",
                                   i ? ", and the loop around that" : "the loop", list[i].from,
                                   list[i].to, machine->iteration[level][lane] + 1u,
                                   machine->constants->loop[id].count, id);
    }
    machine->line = list[0].to;
    a2xx_find(machine, A2XX_FAULT_RUNAWAY, lanes,
              "%s after %llu instructions, which is the limit" WITH_HINT
              "reduce the counts of the loop constants, or raise the limit with --max-instructions",
              text, (unsigned long long)machine->limit);
    machine->line = line;
    return true;
}

/* --- instructions of a loop --- */

typedef bool slot_test(const struct a2xx_code *code, uint32_t slot, bool fetch, unsigned reg);

/* Returns true if the test is true for any instruction in the clauses of a loop. */
static bool any_slot(const struct a2xx_code *code, struct loop loop, slot_test *test, unsigned reg)
{
    for (uint32_t i = loop.from; i <= loop.to; i++) {
        const struct a2xx_exec *exec = &code->cf[i].exec;
        if (code->cf[i].form != A2XX_FORM_EXEC)
            continue;
        for (uint32_t k = 0; k < exec->count && exec->address + k < code->slots; k++)
            if (test(code, exec->address + k, a2xx_is_fetch(exec, k), reg))
                return true;
    }
    return false;
}

static bool sets_predicate(const struct a2xx_code *code, uint32_t slot, bool fetch, unsigned reg)
{
    const struct a2xx_alu_code *alu = &code->alu[slot];
    (void)reg;
    return !fetch && (alu->vector_effects | alu->scalar_effects) & A2XX_SETS_PREDICATE;
}

static bool writes_register(const struct a2xx_code *code, uint32_t slot, bool fetch, unsigned reg)
{
    const struct a2xx_alu_code *alu = &code->alu[slot];
    struct a2xx_fetch_register result = a2xx_fetch_result(&code->fetch[slot]);
    if (fetch)
        return result.components && (result.relative || result.number == reg);
    if (alu->insn.export_data)
        return false;
    return (alu->vector_mask && (alu->insn.vector_dest_rel || alu->insn.vector_dest == reg)) ||
           (alu->scalar_mask && (alu->insn.scalar_dest_rel || alu->insn.scalar_dest == reg));
}

static bool has_calls(const struct a2xx_code *code, struct loop loop)
{
    for (uint32_t i = loop.from; i < loop.to; i++)
        if (code->cf[i].form == A2XX_FORM_JUMP && code->cf[i].opcode == A2XX_CF_COND_CALL)
            return true;
    return false;
}

/* Returns a register from which the predicate is computed and which the loop does not change.
 * Returns A2XX_REGISTERS if there is no such register, or if the predicate also depends on other
 * values. */
static unsigned constant_register(const struct a2xx_code *code, struct loop loop)
{
    unsigned found = A2XX_REGISTERS;
    for (uint32_t slot = 0; slot < code->slots; slot++) {
        const struct a2xx_alu_code *alu = &code->alu[slot];
        if (!sets_predicate(code, slot, false, 0) || alu->reads_ps)
            continue;
        for (unsigned i = 0; i < alu->operand_count; i++) {
            const struct a2xx_operand *operand = &alu->operands[i];
            if (operand->constant)
                continue;
            if (operand->relative || any_slot(code, loop, writes_register, operand->number))
                return A2XX_REGISTERS;
            found = operand->number;
        }
    }
    return found;
}

/* --- the finding --- */

static void find_predicate(struct a2xx_machine *machine, struct loop loop, a2xx_mask lanes)
{
    const struct a2xx_code *code = machine->code;
    unsigned reg = constant_register(code, loop);
    bool calls = has_calls(code, loop);
    if (!calls && !any_slot(code, loop, sets_predicate, 0))
        a2xx_find(machine, A2XX_FAULT_RUNAWAY, lanes,
                  "the loop from control flow %u to %u jumps back on the predicate, but no "
                  "instruction in the loop sets it" WITH_HINT
                  "set the predicate in the loop with a PRED_SET operation",
                  loop.from, loop.to);
    else if (!calls && reg < A2XX_REGISTERS)
        a2xx_find(machine, A2XX_FAULT_RUNAWAY, lanes,
                  "the loop from control flow %u to %u jumps back on the predicate, which depends "
                  "on R%u, but no instruction in the loop changes R%u" WITH_HINT
                  "change R%u in the loop",
                  loop.from, loop.to, reg, reg, reg);
    else
        a2xx_find(machine, A2XX_FAULT_RUNAWAY, lanes,
                  "the loop from control flow %u to %u still jumps back on the predicate at the "
                  "limit of %llu instructions" WITH_HINT
                  "check the calculation of the predicate in the loop, or raise the limit with "
                  "--max-instructions",
                  loop.from, loop.to, (unsigned long long)machine->limit);
}

void a2xx_find_runaway(struct a2xx_machine *machine, a2xx_mask lanes)
{
    struct loop loop = find_loop(machine, first_lane(lanes));
    uint32_t line = machine->line;
    const struct a2xx_jump *jump = &machine->code->cf[loop.to == NOWHERE ? 0 : loop.to].jump;
    if (loop.to == NOWHERE && find_counting(machine, lanes))
        return;
    if (loop.to == NOWHERE) {
        a2xx_find(machine, A2XX_FAULT_RUNAWAY, lanes,
                  "the lane has reached the limit of %llu instructions",
                  (unsigned long long)machine->limit);
        return;
    }
    machine->line = loop.to;
    if (jump->unconditional)
        a2xx_find(machine, A2XX_FAULT_RUNAWAY, lanes,
                  "the loop from control flow %u to %u jumps back without a condition" WITH_HINT
                  "jump back on the predicate or a boolean constant, or leave the loop with a jump",
                  loop.from, loop.to);
    else if (!jump->predicated)
        a2xx_find(machine, A2XX_FAULT_RUNAWAY, lanes,
                  "the loop from control flow %u to %u jumps back on boolean constant %u, which no "
                  "instruction can change" WITH_HINT
                  "jump back on the predicate, which PRED_SET operations set",
                  loop.from, loop.to, jump->bool_address);
    else
        find_predicate(machine, loop, lanes);
    machine->line = line;
}
