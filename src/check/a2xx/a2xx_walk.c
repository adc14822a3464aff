/* SPDX-License-Identifier: MIT */
/* a2xx_walk.c - follows all paths through an A2xx program.
 *
 * In:     the control flow of a program.
 * Out: the state before each control-flow instruction; then the findings of the control-flow
 *      instructions that are reached, and of their clauses.
 * Source: docs/hardware/a2xx.md, section 4. A conditional clause or jump has two successors. A
 *         conditional END whose condition fails continues with the next instruction. Choice: a
 *         subroutine is analysed once for each chain of calls that leads to it, so that the state
 *         of one caller does not cause findings for another caller. If a program has too many
 *         chains of calls, the analysis stops with a finding. */
#include <stdlib.h>

#include "check/a2xx/a2xx_check_state.h"

enum {
    NODES_MAX = 40000, /* largest number of control-flow instructions, each counted once for each
                        * chain of calls */
    STEPS_PER_NODE = 60,
};

/* A chain of calls. */
struct context {
    /* index of the caller's context, and number of the control-flow instruction after the call;
     * both are A2C_NONE for the main program */
    uint32_t parent, back;
    unsigned depth;
    /* state before each control-flow instruction, and state after the last control-flow
     * instruction */
    struct a2c_state *states;
    bool *queued;
};

struct node {
    uint32_t context, cf;
};

struct ways {
    struct a2c_checker *checker;
    struct context *contexts;
    uint32_t context_count, contexts_max;
    struct node *waiting; /* ring buffer */
    size_t waiting_max, first, count;
    bool no_memory, too_many, report;
};

/* --- contexts --- */

static uint32_t find_context(struct ways *ways, uint32_t parent, uint32_t back, unsigned depth)
{
    for (uint32_t i = 0; i < ways->context_count; i++)
        if (ways->contexts[i].parent == parent && ways->contexts[i].back == back)
            return i;
    if (ways->context_count == ways->contexts_max) {
        ways->too_many = true;
        return A2C_NONE;
    }
    uint32_t nodes = ways->checker->cf_count + 1;
    struct context context = {.parent = parent,
                              .back = back,
                              .depth = depth,
                              .states = calloc(nodes, sizeof *context.states),
                              .queued = calloc(nodes, sizeof *context.queued)};
    if (!context.states || !context.queued) {
        free(context.states);
        free(context.queued);
        ways->no_memory = true;
        return A2C_NONE;
    }
    ways->contexts[ways->context_count] = context;
    return ways->context_count++;
}

/* --- successors --- */

static void reach(struct ways *ways, struct node node, const struct a2c_state *state)
{
    struct context *context = &ways->contexts[node.context];
    if (ways->report || !a2c_state_merge(&context->states[node.cf], state))
        return;
    if (node.cf == ways->checker->cf_count || context->queued[node.cf])
        return;
    context->queued[node.cf] = true;
    ways->waiting[(ways->first + ways->count++) % ways->waiting_max] = node;
}

/* Continues at the target of a jump. Does nothing if the target is out of range, which
 * a2xx_check_flow.c reports. */
static void jump(struct ways *ways, struct node node, uint32_t target,
                 const struct a2c_state *state)
{
    if (target < ways->checker->cf_count)
        reach(ways, (struct node){node.context, target}, state);
}

static void go_on(struct ways *ways, struct node node, const struct a2c_state *state)
{
    reach(ways, (struct node){node.context, node.cf + 1}, state);
}

/* --- clauses --- */

static void run_clause(struct a2c_walk *walk, const struct a2xx_exec *exec)
{
    uint32_t count = a2c_count(walk->checker, exec);
    for (uint32_t i = 0; i < count; i++) {
        walk->slot = exec->address + i;
        walk->serialized = a2xx_is_serialized(exec, i);
        /* the clause overlaps control flow */
        if (walk->slot < walk->checker->cf_slots)
            continue;
        if (a2xx_is_fetch(exec, i))
            a2c_step_fetch(walk);
        else
            a2c_step_alu(walk, exec);
    }
}

static void step_exec(struct ways *ways, struct node node, struct a2c_walk *walk,
                      const struct a2xx_exec *exec)
{
    bool tests = a2xx_is_predicated_exec(exec->opcode);
    bool conditional = tests || a2xx_is_boolean_exec(exec->opcode);
    if (tests)
        a2c_step_test(walk);
    if (conditional)
        go_on(ways, node, walk->state);
    run_clause(walk, exec);
    if (!a2xx_is_end(exec->opcode))
        go_on(ways, node, walk->state);
    else if (walk->report)
        a2c_check_end(walk);
}

/* --- loops, jumps, calls --- */

static void step_loop_start(struct ways *ways, struct node node, struct a2c_walk *walk,
                            const struct a2xx_loop *loop)
{
    struct a2c_state *state = walk->state;
    jump(ways, node, loop->address, state);
    if (state->loop_depth == A2XX_STACK) {
        if (walk->report)
            a2c_report(walk->checker, CHECK_A2XX_LOOP_DEPTH, a2c_cf(node.cf),
                       A2C_OTHER(.other = a2c_cf(state->loops[0])),
                       "this loop is inside %d other loops", A2XX_STACK);
        return;
    }
    state->loops[state->loop_depth++] = (uint16_t)node.cf;
    go_on(ways, node, state);
}

static void step_loop_end(struct ways *ways, struct node node, struct a2c_walk *walk,
                          const struct a2xx_loop *loop)
{
    struct a2c_state *state = walk->state;
    if (loop->predicated_break)
        a2c_step_test(walk);
    if (state->loop_depth == 0) {
        if (walk->report)
            a2c_report_title(walk->checker, CHECK_A2XX_LOOP_END, a2c_cf(node.cf));
        go_on(ways, node, state);
        return;
    }
    uint32_t start = state->loops[state->loop_depth - 1];
    uint32_t id = walk->checker->cfs[start].loop.loop_id;
    if (walk->report && id != loop->loop_id)
        a2c_report(
            walk->checker, CHECK_A2XX_LOOP_ID, a2c_cf(node.cf), A2C_OTHER(.other = a2c_cf(start)),
            "LOOP_END names integer constant %u, but its LOOP_START names %u", loop->loop_id, id);
    jump(ways, node, loop->address, state);
    state->loop_depth--;
    go_on(ways, node, state);
}

static void call(struct ways *ways, struct node node, struct a2c_walk *walk, uint32_t target)
{
    unsigned depth = ways->contexts[node.context].depth;
    if (depth == A2XX_STACK) {
        if (walk->report)
            a2c_report(walk->checker, CHECK_A2XX_CALL_DEPTH, a2c_cf(node.cf),
                       A2C_OTHER(.other = a2c_cf(ways->contexts[node.context].back - 1)),
                       "this call is inside %d other calls", A2XX_STACK);
        go_on(ways, node, walk->state);
        return;
    }
    if (target >= ways->checker->cf_count || ways->report)
        return;
    uint32_t context = find_context(ways, node.context, node.cf + 1, depth + 1);
    if (context != A2C_NONE)
        reach(ways, (struct node){context, target}, walk->state);
}

static void step_return(struct ways *ways, struct node node, struct a2c_walk *walk)
{
    const struct context *context = &ways->contexts[node.context];
    if (context->depth > 0) {
        reach(ways, (struct node){context->parent, context->back}, walk->state);
        return;
    }
    if (walk->report)
        a2c_report_title(walk->checker, CHECK_A2XX_RETURN_OUTSIDE, a2c_cf(node.cf));
    go_on(ways, node, walk->state);
}

static void step_jump(struct ways *ways, struct node node, struct a2c_walk *walk,
                      const struct a2xx_jump *fields)
{
    if (fields->opcode == A2XX_CF_RETURN) {
        step_return(ways, node, walk);
        return;
    }
    if (fields->predicated && !fields->unconditional)
        a2c_step_test(walk);
    if (!fields->unconditional)
        go_on(ways, node, walk->state);
    if (fields->opcode == A2XX_CF_COND_CALL)
        call(ways, node, walk, fields->address);
    else
        jump(ways, node, fields->address, walk->state);
}

/* --- all instructions --- */

static void step(struct ways *ways, struct node node)
{
    const struct a2xx_cf *cf = &ways->checker->cfs[node.cf];
    struct a2c_state state = ways->contexts[node.context].states[node.cf];
    struct a2c_walk walk = {
        .checker = ways->checker, .state = &state, .cf = node.cf, .report = ways->report};
    if (ways->report && state.mixed)
        a2c_report_title(ways->checker, CHECK_A2XX_LOOP_LEFT, a2c_cf(node.cf));
    state.mixed = false;
    switch (cf->opcode) {
    case A2XX_CF_LOOP_START: step_loop_start(ways, node, &walk, &cf->loop); return;
    case A2XX_CF_LOOP_END: step_loop_end(ways, node, &walk, &cf->loop); return;
    case A2XX_CF_MARK_VS_FETCH_DONE: state.fetch_done = true; break;
    default: break;
    }
    if (cf->form == A2XX_FORM_EXEC)
        step_exec(ways, node, &walk, &cf->exec);
    else if (cf->form == A2XX_FORM_JUMP)
        step_jump(ways, node, &walk, &cf->jump);
    else {
        if (cf->form == A2XX_FORM_ALLOC)
            a2c_step_alloc(&walk, &cf->alloc);
        go_on(ways, node, &state);
    }
}

static void follow(struct ways *ways)
{
    struct a2c_state start;
    a2c_state_begin(&start, ways->checker);
    uint32_t program = find_context(ways, A2C_NONE, A2C_NONE, 0);
    if (program == A2C_NONE)
        return;
    reach(ways, (struct node){program, 0}, &start);
    size_t steps = 0, most = ways->waiting_max * STEPS_PER_NODE;
    while (ways->count > 0 && !ways->no_memory && !ways->too_many) {
        struct node node = ways->waiting[ways->first];
        ways->first = (ways->first + 1) % ways->waiting_max;
        ways->count--;
        ways->contexts[node.context].queued[node.cf] = false;
        step(ways, node);
        ways->too_many |= ++steps > most;
    }
}

/* Returns true if the program has a reachable END of the given kind, conditional or
 * unconditional. */
static bool ends(const struct a2c_checker *checker, bool conditional)
{
    for (uint32_t i = 0; i < checker->cf_count; i++) {
        unsigned opcode = checker->cfs[i].opcode;
        if (checker->reached[i] && a2xx_is_end(opcode) &&
            conditional == (opcode != A2XX_CF_EXEC_END))
            return true;
    }
    return false;
}

/* Reports that a path runs past the last control-flow instruction. The finding is at the last
 * control-flow instruction that is not a NOP. */
static void check_behind(struct a2c_checker *checker)
{
    uint32_t cf = checker->cf_count - 1;
    bool conditional = ends(checker, true), sure = ends(checker, false);
    while (cf > 0 && checker->cfs[cf].opcode == A2XX_CF_NOP)
        cf--;
    if (conditional && !sure)
        a2c_report_title(checker, CHECK_A2XX_END_CONDITIONAL, a2c_cf(cf));
    else
        a2c_report_title(checker, CHECK_A2XX_NO_END, a2c_cf(cf));
}

static void report_all(struct ways *ways)
{
    struct a2c_checker *checker = ways->checker;
    bool behind = false;
    ways->report = true;
    for (uint32_t c = 0; c < ways->context_count; c++) {
        for (uint32_t i = 0; i < checker->cf_count; i++) {
            if (!ways->contexts[c].states[i].reached)
                continue;
            checker->reached[i] = true;
            step(ways, (struct node){c, i});
        }
        behind |= ways->contexts[c].states[checker->cf_count].reached;
    }
    if (behind)
        check_behind(checker);
}

bool a2c_check_paths(struct a2c_checker *checker)
{
    struct ways ways = {.checker = checker};
    ways.contexts_max = NODES_MAX / (checker->cf_count + 1) + 1;
    ways.waiting_max = (size_t)ways.contexts_max * (checker->cf_count + 1);
    ways.contexts = calloc(ways.contexts_max, sizeof *ways.contexts);
    ways.waiting = calloc(ways.waiting_max, sizeof *ways.waiting);
    ways.no_memory = !ways.contexts || !ways.waiting;
    if (!ways.no_memory)
        follow(&ways);
    if (ways.too_many)
        a2c_report_title(checker, CHECK_LIMIT, a2c_cf(0));
    else if (!ways.no_memory)
        report_all(&ways);
    for (uint32_t i = 0; i < ways.context_count; i++) {
        free(ways.contexts[i].states);
        free(ways.contexts[i].queued);
    }
    free(ways.contexts);
    free(ways.waiting);
    return !ways.no_memory;
}
