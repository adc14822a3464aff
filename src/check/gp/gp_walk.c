/* SPDX-License-Identifier: MIT */
/* gp_walk.c - asks the rules about a program, and follows all paths (check_paths.h).
 *
 * In:  the edges between the instructions. Node i is instruction i; the node after the last
 *      instruction is the end of the program.
 * Out: findings of the rules. */
#include "check/frame/check_paths.h"
#include "check/gp/gp_check_state.h"

/* --- the functions of the rules --- */

#define CALL(HOW, NAME, function) ASK_CALL_##HOW(function, TITLE(walk, CHECK_GP_##NAME))

static void ask_word(const struct gpc_walk *walk)
{
#define ASK_WORD CALL
#include "check/frame/asks.h"
}

static void ask_path(const struct gpc_walk *walk)
{
#define ASK_PATH CALL
#include "check/frame/asks.h"
}

static void ask_end(const struct gpc_walk *walk)
{
#define ASK_END CALL
#include "check/frame/asks.h"
}

static void ask_program(const struct gpc_walk *walk)
{
#define ASK_PROGRAM(HOW, NAME, function) function(walk);
#include "check/frame/asks.h"
}

/* --- paths --- */

static bool join(void *to, const void *from, bool widen)
{
    (void)widen;
    return gpc_state_merge(to, from);
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
    bool end = at == checker->count;
    walk.at -= end; /* findings at the end name the last instruction */
    if (paths->reports && end)
        ask_end(&walk);
    else if (paths->reports)
        ask_path(&walk);
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
        .state_bytes = sizeof(struct gpc_state), .join = join, .step = step};
    struct check_paths paths = {.machine = &machine, .user = checker, .steps_max = UINT64_MAX};
    struct gpc_state start;
    for (uint32_t i = 0; i < checker->count; i++)
        ask_word(&(struct gpc_walk){.checker = checker, .facts = &checker->facts[i], .at = i});
    gpc_state_begin(&start);
    check_paths_follow(&paths, checker->count + 1, &start);
    if (!paths.no_memory)
        check_paths_report(&paths);
    ask_program(&(struct gpc_walk){.checker = checker});
    check_paths_free(&paths);
    return !paths.no_memory;
}
