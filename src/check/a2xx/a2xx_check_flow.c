/* SPDX-License-Identifier: MIT */
/* a2xx_check_flow.c - rules about control-flow instructions and about unused parts of a program.
 *
 * In:     the control flow of a program, with the instructions that are reached; for loops and
 *         calls, the state before an instruction.
 * Out:    findings.
 * Source: docs/hardware/a2xx.md, sections 2 to 4. */
#include <stdlib.h>

#include "check/a2xx/a2xx_check_state.h"

/* --- clauses --- */

static const struct a2xx_cf *cf_of(const struct a2c_walk *walk)
{
    return &walk->checker->cfs[walk->cf];
}

/* Returns the fields of a clause, or NULL for another instruction. */
static const struct a2xx_exec *exec_of(const struct a2c_walk *walk)
{
    return cf_of(walk)->form == A2XX_FORM_EXEC ? &cf_of(walk)->exec : NULL;
}

void a2c_check_sequence(const struct a2c_walk *walk)
{
    const struct a2xx_exec *exec = exec_of(walk);
    uint32_t used = exec && exec->count < A2XX_CLAUSE_MAX ? exec->count : A2XX_CLAUSE_MAX;
    if (exec && exec->sequence >> 2 * used)
        REPORT(walk, CHECK_A2XX_SEQUENCE_BEYOND, CHECK_ALONE,
               "the clause has %u instruction%s, but sequence bits for %s", exec->count,
               exec->count == 1 ? "" : "s", "more");
}

bool a2c_is_empty_clause(const struct a2c_walk *walk)
{
    const struct a2xx_exec *exec = exec_of(walk);
    return exec && exec->count == 0 && !a2xx_is_end(exec->opcode);
}

void a2c_check_clause_length(const struct a2c_walk *walk)
{
    const struct a2xx_exec *exec = exec_of(walk);
    if (exec && exec->count > A2XX_CLAUSE_MAX)
        REPORT(walk, CHECK_A2XX_CLAUSE_LONG, CHECK_ALONE,
               "the clause has %u instructions; the limit is %d", exec->count, A2XX_CLAUSE_MAX);
}

void a2c_check_clause_overlap(const struct a2c_walk *walk)
{
    const struct a2xx_exec *exec = exec_of(walk);
    uint32_t cf_slots = walk->checker->cf_slots;
    if (exec && exec->count > 0 && exec->address < cf_slots)
        REPORT(walk, CHECK_A2XX_CLAUSE_OVERLAP, CHECK_ALONE,
               "the clause begins in slot %u, but control flow occupies slots 0 to %u",
               exec->address, cf_slots - 1);
}

void a2c_check_clause_end(const struct a2c_walk *walk)
{
    const struct a2xx_exec *exec = exec_of(walk);
    uint32_t slots = walk->checker->slots;
    if (exec && exec->count > 0 && exec->address + exec->count > slots)
        REPORT(walk, CHECK_A2XX_CLAUSE_OUTSIDE, CHECK_ALONE,
               "the clause has slots %u to %u, but the program ends with slot %u", exec->address,
               exec->address + exec->count - 1, slots - 1);
}

void a2c_check_sequence_kind(const struct a2c_walk *walk)
{
    if (walk->contrary)
        REPORT(walk, CHECK_A2XX_SEQUENCE_KIND, CHECK_ALONE,
               "the sequence bits mark %s, but the words are those of %s",
               walk->fetch ? "a fetch" : "an ALU instruction",
               walk->fetch ? "an ALU instruction" : "a fetch");
}

/* --- targets --- */

static bool jumps(const struct a2c_walk *walk)
{
    return cf_of(walk)->form == A2XX_FORM_JUMP && cf_of(walk)->opcode != A2XX_CF_RETURN;
}

void a2c_check_target(const struct a2c_walk *walk)
{
    const struct a2xx_cf *cf = cf_of(walk);
    uint32_t count = walk->checker->cf_count;
    uint32_t target = cf->form == A2XX_FORM_LOOP ? cf->loop.address : cf->jump.address;
    /* The target of LOOP_START may be the number after the last control-flow instruction, because a
     * loop at the end of the program continues there if its count is 0. */
    bool skips_to_end = target == count && cf->opcode == A2XX_CF_LOOP_START;
    if ((cf->form == A2XX_FORM_LOOP || jumps(walk)) && target >= count && !skips_to_end)
        REPORT(walk, CHECK_A2XX_TARGET_OUTSIDE, CHECK_ALONE,
               "the target of %s is control-flow instruction %u, but the program has only %u",
               a2xx_cf_ops[cf->opcode].mnemonic, target, count);
}

void a2c_check_direction(const struct a2c_walk *walk)
{
    const struct a2xx_jump *jump = &cf_of(walk)->jump;
    bool forward = jump->address > walk->cf;
    if (jumps(walk) && jump->opcode == A2XX_CF_COND_JMP && jump->direction != forward &&
        jump->address < walk->checker->cf_count)
        REPORT(walk, CHECK_A2XX_JUMP_DIRECTION, CHECK_OTHER(a2c_cf(jump->address), 0, 0),
               "the direction of the jump is %s, but its target is further %s",
               forward ? "up" : "down", forward ? "down" : "up");
}

/* --- loops --- */

/* Returns true if the control-flow instruction that rules look at has the operation. */
static bool is_op(const struct a2c_walk *walk, unsigned opcode)
{
    const struct a2xx_cf *cf = a2c_control(walk);
    return cf && cf->opcode == opcode;
}

bool a2c_leaves_loop(const struct a2c_walk *walk)
{
    return walk->state->mixed;
}

void a2c_check_loop_depth(const struct a2c_walk *walk)
{
    const struct a2c_state *state = walk->state;
    if (is_op(walk, A2XX_CF_LOOP_START) && state->loop_depth == A2XX_STACK)
        REPORT(walk, CHECK_A2XX_LOOP_DEPTH, CHECK_OTHER(a2c_cf(state->loops[0]), 0, 0),
               "this loop is inside %d other loops", A2XX_STACK);
}

bool a2c_ends_no_loop(const struct a2c_walk *walk)
{
    return is_op(walk, A2XX_CF_LOOP_END) && walk->state->loop_depth == 0;
}

void a2c_check_loop_id(const struct a2c_walk *walk)
{
    const struct a2c_state *state = walk->state;
    if (!is_op(walk, A2XX_CF_LOOP_END) || state->loop_depth == 0)
        return;
    uint32_t start = state->loops[state->loop_depth - 1], id = cf_of(walk)->loop.loop_id;
    uint32_t wanted = walk->checker->cfs[start].loop.loop_id;
    if (id != wanted)
        REPORT(walk, CHECK_A2XX_LOOP_ID, CHECK_OTHER(a2c_cf(start), 0, 0),
               "LOOP_END names integer constant %u, but its LOOP_START names %u", id, wanted);
}

/* --- calls --- */

void a2c_check_call_depth(const struct a2c_walk *walk)
{
    if (is_op(walk, A2XX_CF_COND_CALL) && walk->calls == A2XX_STACK)
        REPORT(walk, CHECK_A2XX_CALL_DEPTH, CHECK_OTHER(a2c_cf(walk->caller), 0, 0),
               "this call is inside %d other calls", A2XX_STACK);
}

bool a2c_returns_outside(const struct a2c_walk *walk)
{
    return is_op(walk, A2XX_CF_RETURN) && walk->calls == 0;
}

/* --- reserved bits --- */

void a2c_check_cf_reserved(const struct a2c_walk *walk)
{
    const struct a2xx_cf *fields = cf_of(walk);
    const struct a2xx_exec *exec = exec_of(walk);
    const struct a2xx_field_list *list = &a2xx_fields[fields->form];
    for (size_t i = 0; i < list->count; i++) {
        const struct a2xx_field *field = &list->fields[i];
        uint32_t value = a2xx_field_get(&fields->exec, field);
        if (field->kind == A2XX_KIND_RESERVED && value)
            REPORT(walk, CHECK_A2XX_CF_RESERVED, CHECK_SUBJECT(field->low),
                   "bits %u to %u of %s are 0x%x", field->low, field->low + field->bits - 1u,
                   a2xx_cf_ops[fields->opcode].mnemonic, value);
    }
    if (exec && !a2xx_is_boolean_exec(exec->opcode) && exec->bool_address & 0x7f)
        REPORT(walk, CHECK_A2XX_CF_RESERVED, CHECK_ALONE,
               "the clause names a boolean constant, but does not test it");
}

/* --- unused parts --- */

/* Returns true for the ALLOC of a memory export. Mesa's driver disables a memory export by changing
 * the preceding EXEC to EXEC_END (docs/hardware/a2xx.md, section 24). */
static bool is_cut(const struct a2xx_cf *cf)
{
    return cf->form == A2XX_FORM_ALLOC && cf->alloc.buffer_select == A2XX_BUFFER_MEMORY;
}

void a2c_check_unreached(const struct a2c_walk *walk)
{
    struct a2c_checker *checker = walk->checker;
    bool before = true;
    for (uint32_t i = 0; i < checker->cf_count; i++) {
        bool padding = checker->cfs[i].opcode == A2XX_CF_NOP ||
                       (before && is_cut(&checker->cfs[i]));
        if (!checker->reached[i] && before && !padding)
            check_report_title(&checker->out, CHECK_A2XX_UNREACHABLE, a2c_cf(i), CHECK_ALONE);
        before = checker->reached[i] || (before && checker->cfs[i].opcode == A2XX_CF_NOP);
    }
}

void a2c_check_slots(const struct a2c_walk *walk)
{
    struct a2c_checker *checker = walk->checker;
    for (uint32_t i = checker->cf_slots; i < checker->slots; i++)
        if (!checker->kinds[i] && (i == checker->cf_slots || checker->kinds[i - 1]))
            check_report_title(&checker->out, CHECK_A2XX_SLOT_UNUSED, i, CHECK_ALONE);
}

/* --- end of the program --- */

/* Reports a path that runs past the last control-flow instruction, at the last one that is not a
 * NOP. One rule is about programs whose only ENDs are conditional. */
void a2c_check_end(const struct a2c_walk *walk, enum check_rule rule)
{
    struct a2c_checker *checker = walk->checker;
    uint32_t cf = checker->cf_count - 1;
    bool conditional = false, sure = false; /* kinds of the ENDs that paths reach */
    for (uint32_t i = 0; i <= cf; i++)
        if (checker->reached[i] && a2xx_is_end(checker->cfs[i].opcode))
            *(checker->cfs[i].opcode == A2XX_CF_EXEC_END ? &sure : &conditional) = true;
    if (!checker->passes_end || (conditional && !sure) != (rule == CHECK_A2XX_END_CONDITIONAL))
        return;
    while (cf > 0 && checker->cfs[cf].opcode == A2XX_CF_NOP)
        cf--;
    check_report_title(&checker->out, rule, a2c_cf(cf), CHECK_ALONE);
}

/* --- endless paths --- */

/* Sets from[i] for each instruction i from which at least one path ends the program or leaves the
 * control flow. */
static void mark_ending(const struct a2c_checker *checker, bool *from)
{
    /* Limit of iterations, which only programs whose loops jump into each other reach. */
    enum { ROUNDS_MAX = 100 };
    bool changed = true;
    for (unsigned round = 0; changed && round < ROUNDS_MAX; round++) {
        changed = false;
        for (uint32_t i = checker->cf_count; i-- > 0;) {
            const struct a2xx_cf *cf = &checker->cfs[i];
            bool jumps = cf->form == A2XX_FORM_JUMP && cf->opcode != A2XX_CF_RETURN;
            bool always = jumps && cf->jump.unconditional && cf->opcode == A2XX_CF_COND_JMP;
            uint32_t target = jumps ? cf->jump.address : i + 1;
            bool ends = a2xx_is_end(cf->opcode) || cf->opcode == A2XX_CF_RETURN ||
                        target >= checker->cf_count || from[target] ||
                        (!always && (i + 1 == checker->cf_count || from[i + 1]));
            changed |= ends && !from[i];
            from[i] |= ends;
        }
    }
    /* If the limit was reached, assume that every instruction can reach an end, so that nothing is
     * reported. */
    for (uint32_t i = 0; i < checker->cf_count && changed; i++)
        from[i] = true;
}

void a2c_check_endless(const struct a2c_walk *walk)
{
    struct a2c_checker *checker = walk->checker;
    bool *from = calloc(checker->cf_count, sizeof *from);
    checker->out.no_memory |= !from;
    if (from)
        mark_ending(checker, from);
    for (uint32_t i = 0; from && i < checker->cf_count; i++) {
        if (!checker->reached[i] || from[i])
            continue;
        check_report_title(&checker->out, CHECK_A2XX_ENDLESS, a2c_cf(i), CHECK_ALONE);
        break; /* report at most one finding in each program */
    }
    free(from);
}
