/* SPDX-License-Identifier: MIT */
/* gp_check_flow.c - the control flow of a GP program, and rules about branches.
 *
 * In:     the instructions of a program.
 * Out: edges from each instruction to its successors; the instructions that can be reached from the
 *      start; the instructions from which the end can be reached.
 * Source: docs/hardware/utgard.md, section 10: the only branch is conditional, its target is an
 *         instruction number, and it has no delay slot. Choice: a branch whose condition is a
 *         declared constant has only one successor. */
#include "check/gp/gp_check_private.h"

/* --- edges --- */

static void add_edge(struct gpc_flow *flow, uint32_t from, uint32_t to, bool taken)
{
    flow->edges[flow->edge_count++] = (struct gpc_edge){(uint16_t)from, (uint16_t)to, 0, taken};
}

static void add_edges(struct gpc_checker *checker, uint32_t at)
{
    struct gpc_flow *flow = &checker->flow;
    const struct gp_insn *insn = &checker->facts[at].insn;
    uint32_t target = gp_branch_target(insn);
    float condition = 0;
    bool known = insn->branch && gpc_constant(checker, at, insn->pass_src, &condition);
    bool always = known && condition != 0, never = !insn->branch || (known && condition == 0);
    if (!always)
        add_edge(flow, at, at + 1, false);
    if (!never)
        add_edge(flow, at, target < flow->count ? target : flow->count, true);
}

/* Marks the instructions that can be reached from the start, and those from which the end can be
 * reached. */
static void mark(struct gpc_flow *flow)
{
    bool changed = true;
    flow->reached[0] = flow->ends[flow->count] = true;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < flow->edge_count; i++) {
            const struct gpc_edge *out = &flow->edges[i],
                                  *in = &flow->edges[flow->edge_count - 1 - i];
            changed |= flow->reached[out->from] && !flow->reached[out->to];
            changed |= flow->ends[in->to] && !flow->ends[in->from];
            flow->reached[out->to] |= flow->reached[out->from];
            flow->ends[in->from] |= flow->ends[in->to];
        }
    }
}

void gpc_flow_build(struct gpc_checker *checker)
{
    struct gpc_flow *flow = &checker->flow;
    *flow = (struct gpc_flow){.count = checker->count};
    for (uint32_t i = 0; i < flow->count; i++) {
        flow->first_after[i] = (uint16_t)flow->edge_count;
        add_edges(checker, i);
    }
    flow->first_after[flow->count] = (uint16_t)flow->edge_count;
    for (uint32_t i = flow->edge_count; i-- > 0;) {
        flow->edges[i].next = flow->into[flow->edges[i].to];
        flow->into[flow->edges[i].to] = (uint16_t)(i + 1);
    }
    mark(flow);
}

/* --- branches --- */

bool gpc_branches_to_itself(const struct gpc_walk *walk)
{
    return walk->facts->insn.branch && gp_branch_target(&walk->facts->insn) == walk->at;
}

/* Reports a branch out of the program. One rule is about branches whose bit 8 is inverted. */
void gpc_check_target(const struct gpc_walk *walk, enum check_rule rule)
{
    const struct gp_insn *insn = &walk->facts->insn;
    uint32_t target = gp_branch_target(insn), count = walk->checker->count;
    bool inverted = (target ^ 256) < count;
    if (!insn->branch || target < count || inverted != (rule == CHECK_GP_BRANCH_INVERTED))
        return;
    if (inverted)
        REPORT(walk, rule, CHECK_ALONE,
               "the branch target is instruction %u, but the program has only %u; with "
               "branch_target_lo inverted it is %u",
               target, count, target ^ 256);
    else
        REPORT(walk, rule, CHECK_ALONE,
               "the branch target is instruction %u, but the program has only %u", target, count);
}

/* Returns an earlier branch whose target differs from this branch's target by exactly 256, or
 * CHECK_NONE. */
static uint32_t find_twin(const struct gpc_checker *checker, uint32_t at)
{
    uint32_t target = gp_branch_target(&checker->facts[at].insn);
    for (uint32_t i = 0; i < at; i++) {
        const struct gp_insn *other = &checker->facts[i].insn;
        if (other->branch && gp_branch_target(other) == (target ^ 256))
            return i;
    }
    return CHECK_NONE;
}

void gpc_check_twins(const struct gpc_walk *walk)
{
    uint32_t target = gp_branch_target(&walk->facts->insn), count = walk->checker->count;
    if (!walk->facts->insn.branch || target >= count || (target ^ 256) >= count)
        return;
    uint32_t twin = find_twin(walk->checker, walk->at);
    if (twin != CHECK_NONE)
        REPORT(walk, CHECK_GP_BRANCH_TWINS, CHECK_OTHER(twin, 0, 0),
               "two branches target instructions %u and %u", target, target ^ 256);
}

bool gpc_target_is_unused(const struct gpc_walk *walk)
{
    const struct gp_insn *insn = &walk->facts->insn;
    return !insn->branch && (insn->branch_target || insn->branch_target_lo);
}

void gpc_check_condition(const struct gpc_walk *walk)
{
    const struct gp_insn *insn = &walk->facts->insn;
    if (insn->branch && gp_is_unused(insn->pass_src))
        REPORT(walk, CHECK_GP_BRANCH_CONDITION, CHECK_ALONE,
               "the branch has no condition: the pass unit is idle");
    else if (insn->branch && insn->pass_op != GP_PASS_MOV)
        TITLE(walk, CHECK_GP_BRANCH_CONDITION);
}

/* --- paths --- */

/* Returns true if the instruction begins an endless loop: no path leads from it to the end, and a
 * branch at or after the instruction targets it. */
static bool is_endless_loop(const struct gpc_flow *flow, uint32_t at)
{
    if (!flow->reached[at] || flow->ends[at])
        return false;
    for (uint32_t i = flow->into[at]; i; i = flow->edges[i - 1].next) {
        uint32_t from = flow->edges[i - 1].from;
        if (from >= at && flow->reached[from])
            return true;
    }
    return false;
}

/* Reports the first endless loop of the program. */
void gpc_check_endless(const struct gpc_walk *walk)
{
    const struct gpc_flow *flow = &walk->checker->flow;
    uint32_t at = 0;
    while (at < flow->count && !is_endless_loop(flow, at))
        at++;
    if (at < flow->count)
        check_report_title(&walk->checker->out, CHECK_GP_ENDLESS, at, CHECK_ALONE);
}

bool gpc_is_first_unreachable(const struct gpc_walk *walk)
{
    const bool *reached = walk->checker->flow.reached;
    return !reached[walk->at] && (walk->at == 0 || reached[walk->at - 1]);
}
