/* SPDX-License-Identifier: MIT */
/* flow.c - see flow.h.
 *
 * Source:  docs/hardware/a2xx.md, section 4; xenia, src/xenia/gpu/shader_interpreter.cc, except for
 *          its loop stack (section 26).
 * Choice:  lanes that decide differently at a jump or call continue at separate positions (section
 *          27). A predicated break leaves the loop only when all lanes meet its condition, as in
 *          section 4. */
#include "a2xx/shader/flow.h"

#include <string.h>

#include "a2xx/shader/core.h"
#include "a2xx/shader/find.h"
#include "a2xx/shader/sanitize.h"

enum { AL_LEAST = -256, AL_GREATEST = 256 };

/* --- positions --- */

void a2xx_move(struct a2xx_machine *machine, a2xx_mask lanes, uint32_t to)
{
    if (!lanes)
        return;
    if (machine->together && lanes == machine->alive) {
        machine->common = to;
        return;
    }
    if (machine->together) {
        FOR_LANES(lane, machine->alive) machine->at[lane] = (uint16_t)machine->common;
        machine->together = false;
    }
    FOR_LANES(lane, lanes) machine->at[lane] = (uint16_t)to;
}

bool a2xx_choose_group(struct a2xx_machine *machine)
{
    uint16_t lowest = UINT16_MAX;
    if (!machine->alive)
        return false;
    if (machine->together) {
        machine->group = machine->alive;
        machine->here = machine->common;
        return true;
    }
    FOR_LANES(lane, machine->alive)
    lowest = machine->at[lane] < lowest ? machine->at[lane] : lowest;
    machine->group = 0;
    FOR_LANES(lane, machine->alive)
    machine->group |= (a2xx_mask)(machine->at[lane] == lowest) << lane;
    machine->here = machine->common = lowest;
    machine->together = machine->group == machine->alive;
    return true;
}

/* --- tests --- */

a2xx_mask a2xx_test_bool(struct a2xx_machine *machine, uint32_t number, bool condition)
{
    if (!machine->constants->boolean_set[number])
        a2xx_find(machine, A2XX_FAULT_BOOL_UNSET, machine->group,
                  "boolean constant %u has not been set", number);
    return machine->constants->boolean[number] == condition ? machine->group : 0;
}

a2xx_mask a2xx_test_predicate(struct a2xx_machine *machine, a2xx_mask lanes, bool condition)
{
    if (machine->checked)
        a2xx_check_predicate(machine, lanes);
    return lanes & (condition ? machine->predicate : ~machine->predicate);
}

/* Returns true if the instruction has no effect in lanes whose predicate equals the condition, and
 * does not change the predicate in any lane. */
static bool rests(const struct a2xx_code *code, const struct a2xx_exec *exec, unsigned i,
                  bool condition)
{
    uint32_t slot = exec->address + i;
    if (slot >= code->slots)
        return false;
    return a2xx_is_fetch(exec, i) ? a2xx_fetch_rests(&code->fetch[slot], condition)
                                  : a2xx_alu_rests(&code->alu[slot].insn, condition);
}

/* Returns true if the instructions between the jump and its target have no effect in lanes that
 * jump. In this case, the result is the same whether lanes jump or not. */
static bool is_same_path(const struct a2xx_machine *machine, const struct a2xx_jump *jump)
{
    const struct a2xx_code *code = machine->code;
    bool same = jump->opcode == A2XX_CF_COND_JMP && jump->address > machine->here &&
                jump->address <= 2 * code->cf_slots;
    for (uint32_t at = machine->here + 1; same && at < jump->address; at++) {
        const struct a2xx_cf *cf = &code->cf[at];
        same = cf->form == A2XX_FORM_NOP ||
               (cf->form == A2XX_FORM_EXEC && !a2xx_is_end(cf->opcode));
        for (unsigned i = 0; same && cf->form == A2XX_FORM_EXEC && i < cf->exec.count; i++)
            same = rests(code, &cf->exec, i, jump->condition);
    }
    return same;
}

/* Reports a jump if some of the lanes jump and others do not. */
static void note_parting(struct a2xx_machine *machine, a2xx_mask some, a2xx_mask lanes)
{
    if (some && some != lanes)
        a2xx_find(machine, A2XX_FAULT_DIVERGENT, some, "%u of %u lanes jump", count_lanes(some),
                  count_lanes(lanes));
}

/* --- breaks --- */

/* Reports lanes that meet the condition of a break but must execute another iteration with the
 * other lanes. Only reports them if that iteration changes one of their registers. */
static void check_break(struct a2xx_machine *machine, a2xx_mask broken, a2xx_mask again)
{
    unsigned number = machine->code->changed[machine->here];
    if (machine->checked && broken && broken != again && number < A2XX_REGISTERS)
        a2xx_find(
            machine, A2XX_FAULT_DIVERGENT, broken,
            "%u of %u lanes meet the break condition, and another iteration changes their R%u",
            count_lanes(broken), count_lanes(again), number);
}

/* --- loops --- */

static void set_loop_address(struct a2xx_machine *machine, unsigned lane)
{
    unsigned depth = machine->loops[lane];
    if (!depth) {
        machine->al[lane] = 0;
        return;
    }
    const struct a2xx_loop_constant *loop =
        &machine->constants->loop[machine->loop_id[depth - 1][lane]];
    int value = machine->iteration[depth - 1][lane] * loop->step + loop->start;
    value = value < AL_LEAST ? AL_LEAST : value > AL_GREATEST ? AL_GREATEST : value;
    machine->al[lane] = (int16_t)value;
}

/* Returns true if all 64 lanes are in the group and have the same depth. Then the lanes' rows of
 * that depth can be compared and set as a whole. */
static bool is_level(const struct a2xx_machine *machine)
{
    unsigned other = 0;
    for (unsigned lane = 0; lane < A2XX_LANES; lane++)
        other |= machine->loops[lane] ^ machine->loops[0];
    return machine->group == A2XX_ALL_LANES && !other;
}

/* Returns true if all lanes are in the group, and are in the same iteration of the same loop. */
static bool is_same_iteration(const struct a2xx_machine *machine)
{
    unsigned other = 0;
    if (!is_level(machine) || !machine->loops[0])
        return false;
    const uint8_t *id = machine->loop_id[machine->loops[0] - 1];
    const uint16_t *iteration = machine->iteration[machine->loops[0] - 1];
    for (unsigned lane = 0; lane < A2XX_LANES; lane++)
        other |= (unsigned)(id[lane] ^ id[0]) | (unsigned)(iteration[lane] ^ iteration[0]);
    return !other;
}

/* Sets the depth of all lanes, and the address that lane 0 computes at this depth. */
static void set_all_loops(struct a2xx_machine *machine, unsigned depth)
{
    memset(machine->loops, (int)depth, sizeof machine->loops);
    set_loop_address(machine, 0);
    for (unsigned lane = 1; lane < A2XX_LANES; lane++)
        machine->al[lane] = machine->al[0];
}

/* Begins the first iteration of a loop in all lanes, which have the same depth. */
static void begin_all_loops(struct a2xx_machine *machine, uint32_t loop_id)
{
    unsigned depth = machine->loops[0];
    memset(machine->iteration[depth], 0, sizeof machine->iteration[depth]);
    memset(machine->loop_id[depth], (int)loop_id, sizeof machine->loop_id[depth]);
    set_all_loops(machine, depth + 1);
}

static a2xx_mask begin_loop(struct a2xx_machine *machine, const struct a2xx_loop *insn)
{
    const struct a2xx_loop_constant *loop = &machine->constants->loop[insn->loop_id];
    a2xx_mask deep = 0, out = 0;
    if (!loop->set)
        a2xx_find(machine, A2XX_FAULT_LOOP_UNSET, machine->group,
                  "loop constant %u has not been set", insn->loop_id);
    if (!insn->repeat && loop->count && is_level(machine) && machine->loops[0] < A2XX_STACK) {
        begin_all_loops(machine, insn->loop_id);
        return 0;
    }
    FOR_LANES(lane, machine->group)
    {
        unsigned depth = machine->loops[lane];
        a2xx_mask bit = (a2xx_mask)1 << lane;
        if (depth == A2XX_STACK) {
            deep |= bit;
            continue;
        }
        if (!insn->repeat)
            machine->iteration[depth][lane] = 0;
        if (machine->iteration[depth][lane] >= loop->count) {
            out |= bit;
            continue;
        }
        machine->loop_id[depth][lane] = (uint8_t)insn->loop_id;
        machine->loops[lane]++;
        set_loop_address(machine, (unsigned)lane);
    }
    if (deep)
        a2xx_find(machine, A2XX_FAULT_LOOP_DEPTH, deep, "this loop is inside four other loops");
    a2xx_move(machine, deep | out, insn->address);
    return deep | out;
}

/* Reports lanes of the group that are outside of all loops, and lanes whose loop uses a different
 * loop constant from the instruction's. Returns the lanes that are inside a loop. */
static a2xx_mask check_loop_end(struct a2xx_machine *machine, const struct a2xx_loop *insn)
{
    a2xx_mask outside = 0, other = 0;
    FOR_LANES(lane, machine->group)
    {
        unsigned depth = machine->loops[lane];
        a2xx_mask bit = (a2xx_mask)1 << lane;
        if (!depth)
            outside |= bit;
        else if (machine->loop_id[depth - 1][lane] != insn->loop_id)
            other |= bit;
    }
    if (outside)
        a2xx_find(machine, A2XX_FAULT_LOOP_UNPAIRED, outside, "LOOP_END is outside of a loop");
    if (other)
        a2xx_find(machine, A2XX_FAULT_LOOP_OTHER, other,
                  "LOOP_START names loop constant %u, but LOOP_END names %u",
                  machine->loop_id[machine->loops[first_lane(other)] - 1][first_lane(other)],
                  insn->loop_id);
    return machine->group & ~outside;
}

/* Ends the iteration of all lanes, which is the same. Returns the lanes whose loop has more
 * iterations. */
static a2xx_mask count_all(struct a2xx_machine *machine)
{
    unsigned level = machine->loops[0] - 1U;
    uint16_t *iteration = machine->iteration[level];
    for (unsigned lane = 0; lane < A2XX_LANES; lane++)
        iteration[lane]++;
    unsigned count = machine->constants->loop[machine->loop_id[level][0]].count;
    return iteration[0] < count ? A2XX_ALL_LANES : 0;
}

static a2xx_mask count_each(struct a2xx_machine *machine, a2xx_mask lanes)
{
    a2xx_mask again = 0;
    FOR_LANES(lane, lanes)
    {
        unsigned depth = machine->loops[lane];
        if (++machine->iteration[depth - 1][lane] <
            machine->constants->loop[machine->loop_id[depth - 1][lane]].count)
            again |= (a2xx_mask)1 << lane;
    }
    return again;
}

static a2xx_mask end_loop(struct a2xx_machine *machine, const struct a2xx_loop *insn)
{
    bool same = is_same_iteration(machine) &&
                machine->loop_id[machine->loops[0] - 1][0] == insn->loop_id;
    a2xx_mask lanes = same ? A2XX_ALL_LANES : check_loop_end(machine, insn), broken = 0;
    a2xx_mask again = same ? count_all(machine) : count_each(machine, lanes);
    if (insn->predicated_break)
        broken = a2xx_test_predicate(machine, again, insn->condition);
    check_break(machine, broken, again);
    if (broken == again) /* leave the loop only if all lanes break */
        again = 0;
    if (same)
        set_all_loops(machine, again ? machine->loops[0] : machine->loops[0] - 1U);
    FOR_LANES(lane, same ? 0 : lanes)
    {
        if (!(again >> lane & 1))
            machine->loops[lane]--;
        set_loop_address(machine, (unsigned)lane);
    }
    a2xx_move(machine, again, insn->address);
    return again;
}

a2xx_mask a2xx_run_loop(struct a2xx_machine *machine, const struct a2xx_loop *loop)
{
    return loop->opcode == A2XX_CF_LOOP_START ? begin_loop(machine, loop) : end_loop(machine, loop);
}

/* --- jumps and calls --- */

static a2xx_mask going(struct a2xx_machine *machine, const struct a2xx_jump *jump)
{
    a2xx_mask lanes = machine->group;
    if (jump->unconditional)
        return lanes;
    if (!jump->predicated)
        return a2xx_test_bool(machine, jump->bool_address, jump->condition);
    lanes = a2xx_test_predicate(machine, lanes, jump->condition);
    if (machine->checked && !is_same_path(machine, jump))
        note_parting(machine, lanes, machine->group);
    return lanes;
}

static a2xx_mask call(struct a2xx_machine *machine, const struct a2xx_jump *jump)
{
    a2xx_mask lanes = going(machine, jump), deep = 0;
    FOR_LANES(lane, lanes)
    {
        if (machine->calls[lane] == A2XX_STACK)
            deep |= (a2xx_mask)1 << lane;
        else
            machine->back[machine->calls[lane]++][lane] = (uint16_t)(machine->here + 1);
    }
    if (deep)
        a2xx_find(machine, A2XX_FAULT_CALL_DEPTH, deep, "this call is inside four other calls");
    a2xx_move(machine, lanes & ~deep, jump->address);
    return lanes & ~deep;
}

/* Executes RETURN, which has no effect in lanes outside of a subroutine. */
static a2xx_mask go_back(struct a2xx_machine *machine)
{
    a2xx_mask gone = 0;
    FOR_LANES(lane, machine->group)
    {
        if (!machine->calls[lane])
            continue;
        gone |= (a2xx_mask)1 << lane;
        machine->calls[lane]--;
    }
    for (a2xx_mask left = gone; left;) {
        unsigned first = first_lane(left);
        uint16_t to = machine->back[machine->calls[first]][first];
        a2xx_mask same = 0;
        FOR_LANES(lane, left)
        same |= (a2xx_mask)(machine->back[machine->calls[lane]][lane] == to) << lane;
        a2xx_move(machine, same, to);
        left &= ~same;
    }
    return gone;
}

a2xx_mask a2xx_run_jump(struct a2xx_machine *machine, const struct a2xx_jump *jump)
{
    if (jump->opcode == A2XX_CF_COND_CALL)
        return call(machine, jump);
    if (jump->opcode == A2XX_CF_RETURN)
        return go_back(machine);
    a2xx_mask lanes = going(machine, jump);
    a2xx_move(machine, lanes, jump->address);
    return lanes;
}
