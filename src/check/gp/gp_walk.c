/* SPDX-License-Identifier: MIT */
/* gp_walk.c - follows all paths through a program until no state changes, then runs the rules on
 * each instruction.
 *
 * In:     the edges between the instructions.
 * Out:    findings of the rules that depend on earlier instructions. Method: keeps one state per
 * instruction, which is merged from the states on all paths to the instruction. A merge can only
 * add possibilities to a state and remove certainties from it, so the iteration ends. */
#include <stdlib.h>

#include "check/gp/gp_check_state.h"

/* States before all instructions, and at the end of the program. */
struct ways {
    struct gpc_state states[GP_PROGRAM_MAX + 1];
    gpc_value operands[GP_PROGRAM_MAX][GP_OPERANDS_MAX];
    uint16_t queue[GP_PROGRAM_MAX + 1]; /* ring buffer */
    bool queued[GP_PROGRAM_MAX + 1];
    uint32_t head, waiting;
};

static void enqueue(struct ways *ways, uint32_t at)
{
    if (ways->queued[at])
        return;
    ways->queued[at] = true;
    ways->queue[(ways->head + ways->waiting++) % (GP_PROGRAM_MAX + 1)] = (uint16_t)at;
}

static uint32_t dequeue(struct ways *ways)
{
    uint32_t at = ways->queue[ways->head];
    ways->head = (ways->head + 1) % (GP_PROGRAM_MAX + 1);
    ways->waiting--;
    ways->queued[at] = false;
    return at;
}

static struct gpc_walk start(struct gpc_checker *checker, struct ways *ways, uint32_t at,
                             struct gpc_state *state)
{
    *state = ways->states[at];
    return (struct gpc_walk){.checker = checker,
                             .facts = &checker->facts[at % GP_PROGRAM_MAX],
                             .state = state,
                             .at = at,
                             .operands = ways->operands};
}

/* Merges the state after an instruction into the states of its successors. */
static void spread(struct gpc_checker *checker, struct ways *ways, uint32_t at)
{
    const struct gpc_flow *flow = &checker->flow;
    struct gpc_state behind;
    struct gpc_walk walk = start(checker, ways, at, &behind);
    gpc_step(&walk);
    struct gpc_state drained = behind;
    gpc_state_drain(&drained);
    for (uint32_t i = flow->first_after[at]; i < flow->first_after[at + 1]; i++) {
        uint32_t next = flow->edges[i].to;
        bool changed = gpc_state_merge(&ways->states[next],
                                       flow->edges[i].taken ? &drained : &behind);
        if (changed && next < flow->count)
            enqueue(ways, next);
    }
}

static void check_at(struct gpc_checker *checker, struct ways *ways, uint32_t at)
{
    struct gpc_state state;
    struct gpc_walk walk = start(checker, ways, at, &state);
    gpc_check_hazards(&walk);
    gpc_check_chains(&walk);
    gpc_check_outputs(&walk);
}

/* Checks the state at the end. The findings name the last instruction. */
static void check_end(struct gpc_checker *checker, struct ways *ways)
{
    struct gpc_state state;
    struct gpc_walk walk = start(checker, ways, checker->count, &state);
    walk.at = checker->count - 1;
    if (state.reached)
        gpc_check_end(&walk);
}

bool gpc_check_paths(struct gpc_checker *checker)
{
    struct ways *ways = calloc(1, sizeof *ways);
    if (!ways)
        return false;
    gpc_state_begin(&ways->states[0]);
    enqueue(ways, 0);
    while (ways->waiting > 0)
        spread(checker, ways, dequeue(ways));
    for (uint32_t i = 0; i < checker->count; i++)
        if (ways->states[i].reached)
            check_at(checker, ways, i);
    check_end(checker, ways);
    gpc_check_lost_stores(checker);
    free(ways);
    return true;
}
