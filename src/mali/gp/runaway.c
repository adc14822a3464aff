/* SPDX-License-Identifier: MIT */
/* runaway.c - reports vertices that have reached the instruction limit, together with the loop and
 * the reason why the loop does not end.
 *
 * In:      the current instruction of a group of vertices.
 * Out:     one finding, at the branch back of the innermost loop. */

#include "base/diag.h"
#include "isa/gp/facts.h"
#include "mali/gp/code.h"
#include "mali/gp/find.h"

/* Returns the first branch that is at or after `at` and whose target is at or before `at`. Returns
 * the program's number of instructions if there is no such branch. */
static uint32_t find_branch(const struct gp_code *code, uint32_t at)
{
    for (uint32_t i = at; i < code->lines; i++)
        if (code->line[i].branch && code->line[i].target <= at)
            return i;
    return code->lines;
}

/* Returns true if the instruction changes state that a later iteration can read: a register, a
 * temporary or an address register. */
static bool leaves(const struct gp_insn *insn)
{
    struct gp_store stores[GP_STORES_MAX];
    unsigned count = gp_stores(insn, stores);
    for (unsigned i = 0; i < count; i++)
        if (stores[i].temporary || !stores[i].varying)
            return true;
    return gp_addresses_set(insn) != 0;
}

static bool is_same_each_round(const struct gp_code *code, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i <= to; i++)
        if (leaves(&code->line[i].insn))
            return false;
    return true;
}

/* Returns true if the branch's condition is a component of a row that is loaded without an address
 * register. */
static bool is_of_row(const struct gp_insn *insn)
{
    return gp_sources[insn->pass_src].unit == GP_UNIT_ROW && insn->load_offset == GP_NO_OFFSET;
}

void gp_find_runaway(struct gp_machine *machine, gp_mask lanes)
{
    const struct gp_code *code = machine->code;
    uint32_t here = machine->group->pc, to = find_branch(code, here);
    const struct gp_line *line = &code->line[to < code->lines ? to : 0];
    if (to == code->lines) {
        gp_report(machine, FAULT_RUNAWAY, lanes,
                  "the vertex has reached the limit of %llu instructions",
                  (unsigned long long)machine->limit);
        return;
    }
    machine->group->pc = to;
    if (is_of_row(&line->insn))
        gp_report(
            machine, FAULT_RUNAWAY, lanes,
            "the loop from instruction %u to %u branches on %c of row %u, which is the same in "
            "every iteration" WITH_HINT
            "compute the condition in the loop from a register that the loop stores",
            line->target, to, "xyzw"[line->insn.pass_src & 3], line -> insn.load_addr);
    else if (is_same_each_round(code, line->target, to))
        gp_report(
            machine, FAULT_RUNAWAY, lanes,
            "the loop from instruction %u to %u stores no register, so every iteration is the "
            "same" WITH_HINT "store a loop counter in a register, and load it in the loop",
            line->target, to);
    else
        gp_report(
            machine, FAULT_RUNAWAY, lanes,
            "the loop from instruction %u to %u still branches back at the limit of %llu "
            "instructions" WITH_HINT
            "check the calculation of its condition, or raise the limit with --max-instructions",
            line->target, to, (unsigned long long)machine->limit);
    machine->group->pc = here;
}
