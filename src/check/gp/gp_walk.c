/* SPDX-License-Identifier: MIT */
/* gp_walk.c - rules that follow all paths through a program (check_paths.h).
 *
 * In:  the edges between the instructions. Node i is instruction i; the node after the last
 *      instruction is the end of the program.
 * Out: findings of the rules that depend on earlier instructions. */
#include "check/frame/check_paths.h"
#include "check/gp/gp_check_state.h"

static bool join(void *to, const void *from, bool widen)
{
    (void)widen;
    return gpc_state_merge(to, from);
}

/* Checks an instruction, or the state at the end. The findings of the end name the last
 * instruction. */
static void check_at(struct gpc_walk *walk)
{
    if (walk->at == walk->checker->count) {
        walk->at--;
        gpc_check_end(walk);
        return;
    }
    gpc_check_hazards(walk);
    gpc_check_chains(walk);
    gpc_check_outputs(walk);
}

static void step(struct check_paths *paths, uint32_t at, const void *before)
{
    struct gpc_checker *checker = paths->user;
    const struct gpc_flow *flow = &checker->flow;
    struct gpc_state behind = *(const struct gpc_state *)before;
    struct gpc_walk walk = {.checker = checker,
                            .facts = &checker->facts[at % GP_PROGRAM_MAX],
                            .state = &behind,
                            .at = at};
    if (paths->reports)
        check_at(&walk);
    if (paths->reports || at == checker->count)
        return;
    gpc_step(&walk);
    struct gpc_state drained = behind;
    gpc_state_drain(&drained);
    for (uint32_t i = flow->first_after[at]; i < flow->first_after[at + 1]; i++)
        check_paths_reach(paths, flow->edges[i].to, flow->edges[i].taken ? &drained : &behind);
}

bool gpc_check_paths(struct gpc_checker *checker)
{
    static const struct check_paths_machine machine = {
        .state_bytes = sizeof(struct gpc_state), .join = join, .step = step};
    struct check_paths paths = {.machine = &machine, .user = checker, .steps_max = UINT64_MAX};
    struct gpc_state start;
    gpc_state_begin(&start);
    check_paths_follow(&paths, checker->count + 1, &start);
    if (!paths.no_memory) {
        check_paths_report(&paths);
        gpc_check_lost_stores(checker);
    }
    check_paths_free(&paths);
    return !paths.no_memory;
}
