/* SPDX-License-Identifier: MIT */
/* gp_walk.c - asks the rules about a program, and follows all paths (check_paths.h).
 *
 * In:  the edges between the instructions. Node i is instruction i; the node after the last
 *      instruction is the end of the program.
 * Out: findings of the rules. */
#include "check/frame/check_paths.h"
#include "check/gp/gp_check_state.h"

/* --- the functions of the rules --- */

#define ASK_RULE(NAME)  CHECK_GP_##NAME
#define ASK_TITLE(rule) TITLE(walk, rule)

CHECK_ASKS ask(const struct gpc_walk *walk, enum check_when when)
{
#include "check/frame/asks.h"
#include "check/gp/gp_rules.def"
}

/* --- paths --- */

static void step(struct check_paths *paths, uint32_t at, const void *before)
{
    struct gpc_checker *checker = paths->user;
    const struct gpc_flow *flow = &checker->flow;
    struct gpc_state behind = *(const struct gpc_state *)before;
    struct gpc_makers makers[GPC_FAR];
    struct gpc_walk walk = {.checker = checker,
                            .facts = &checker->facts[at % GP_PROGRAM_MAX],
                            .state = &behind,
                            .makers = makers,
                            .at = at};
    bool end = at == checker->count;
    walk.at -= end; /* findings at the end name the last instruction */
    if (paths->reports && end) {
        ask(&walk, CHECK_WHEN_END);
    } else if (paths->reports) {
        gpc_find_makers(flow, at, makers);
        ask(&walk, CHECK_WHEN_PATH);
    }
    if (paths->reports || end)
        return;
    gpc_step(&walk);
    struct gpc_state drained = behind;
    gpc_state_drain(&drained);
    for (uint32_t i = flow->first_after[at]; i < flow->first_after[at + 1]; i++)
        check_paths_reach(paths, flow->edges[i].to, flow->edges[i].taken ? &drained : &behind);
}

bool gpc_check_rules(struct gpc_checker *checker)
{
    static const struct check_paths_machine machine = {
        .state_bytes = sizeof(struct gpc_state), .join = gpc_state_merge, .step = step};
    struct check_paths paths = {.machine = &machine, .user = checker, .steps_max = UINT64_MAX};
    struct gpc_state start;
    for (uint32_t i = 0; i < checker->count; i++)
        ask(&(struct gpc_walk){.checker = checker, .facts = &checker->facts[i], .at = i},
            CHECK_WHEN_WORD);
    gpc_state_begin(&start);
    check_paths_follow(&paths, checker->count + 1, &start);
    if (!paths.no_memory)
        check_paths_report(&paths);
    ask(&(struct gpc_walk){.checker = checker}, CHECK_WHEN_PROGRAM);
    check_paths_free(&paths);
    return !paths.no_memory;
}
