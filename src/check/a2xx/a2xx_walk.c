/* SPDX-License-Identifier: MIT */
/* a2xx_walk.c - asks the rules about an A2xx program, and follows all paths (check_paths.h).
 *
 * In:     the words and the control flow of a program. A node is a control-flow instruction with
 *         its clause, in a chain of calls.
 * Out:    findings of the rules.
 * Source: docs/hardware/a2xx.md, section 4. A conditional clause or jump has two successors. A
 *         conditional END whose condition fails continues with the next instruction. Choice: a
 *         subroutine is analysed once for each chain of calls that leads to it, so that the state
 *         of one caller does not cause findings for another caller. If a program has too many
 *         chains of calls, the analysis stops with a finding. */
#include <stdlib.h>

#include "check/a2xx/a2xx_check_state.h"
#include "check/frame/check_paths.h"

enum {
    NODES_MAX = 40000, /* largest number of control-flow instructions, each counted once for each
                        * chain of calls */
    STEPS_PER_NODE = 60,
};

/* A chain of calls. */
struct context {
    /* index of the caller's context, and number of the control-flow instruction after the call;
     * both are CHECK_NONE for the main program */
    uint32_t parent, back;
    unsigned depth;
};

/* A control-flow instruction in a context. */
struct node {
    uint32_t context, cf;
};

struct ways {
    struct a2c_checker *checker;
    struct check_paths paths;
    struct context *contexts;
    uint32_t context_count, contexts_max;
};

/* Returns the context of a call, and adds it if it does not exist. Returns CHECK_NONE if there are
 * too many. */
static uint32_t find_context(struct ways *ways, uint32_t parent, uint32_t back, unsigned depth)
{
    for (uint32_t i = 0; i < ways->context_count; i++)
        if (ways->contexts[i].parent == parent && ways->contexts[i].back == back)
            return i;
    if (ways->context_count == ways->contexts_max) {
        ways->paths.limited = true;
        return CHECK_NONE;
    }
    ways->contexts[ways->context_count] = (struct context){parent, back, depth};
    return ways->context_count++;
}

#define ASK_RULE(NAME)  CHECK_A2XX_##NAME
#define ASK_TITLE(rule) TITLE(walk, rule)

CHECK_ASKS ask(const struct a2c_walk *walk, enum check_when when)
{
#include "check/frame/asks.h"

#include "check/a2xx/a2xx_rules.def"
}

/* --- successors --- */

static void reach(struct ways *ways, struct node node, const struct a2c_state *state)
{
    uint32_t count = ways->checker->cf_count;
    if (node.cf == count)
        ways->checker->passes_end = true;
    else
        check_paths_reach(&ways->paths, node.context * count + node.cf, state);
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

/* Fields of an instruction of a clause. */
struct fields {
    struct a2xx_alu alu;
    struct a2xx_fetch fetch;
};

/* Makes the instruction number i of a clause the one that rules look at. */
static void enter(struct a2c_walk *walk, struct fields *fields, const struct a2xx_exec *exec,
                  uint32_t i)
{
    enum tess_a2xx_variant variant = walk->checker->variant;
    bool fetches = a2xx_is_fetch(exec, i);
    walk->at = exec->address + i;
    const uint32_t *words = a2c_words(walk->checker, walk->at);
    walk->alu = fetches ? NULL : &fields->alu;
    walk->fetch = fetches ? &fields->fetch : NULL;
    if (!fetches) {
        fields->alu = a2xx_decode_alu(words);
        walk->operand_count = a2xx_operands(walk->alu, variant, walk->operands);
        return;
    }
    fields->fetch = a2xx_decode_fetch(words);
    struct a2xx_fetch_register source = a2xx_fetch_source(walk->fetch, variant);
    walk->operands[0] = (struct a2xx_operand){
        .relative = source.relative, .number = source.number, .components = source.components};
    walk->operand_count = 1;
}

static void run_clause(struct a2c_walk *walk, const struct a2xx_exec *exec, bool reports)
{
    uint32_t count = a2c_count(walk->checker, exec);
    struct fields fields;
    for (uint32_t i = 0; i < count; i++) {
        if (exec->address + i < walk->checker->cf_slots) /* the clause overlaps control flow */
            continue;
        enter(walk, &fields, exec, i);
        if (a2xx_is_serialized(exec, i))
            a2c_serialize(walk->state);
        if (reports)
            ask(walk, CHECK_WHEN_PATH);
        if (walk->fetch)
            a2c_step_fetch(walk);
        else
            a2c_step_alu(walk);
    }
    walk->at = a2c_cf(walk->cf);
}

static void step_exec(struct ways *ways, struct node node, struct a2c_walk *walk,
                      const struct a2xx_exec *exec)
{
    if (a2xx_is_predicated_exec(exec->opcode) || a2xx_is_boolean_exec(exec->opcode))
        go_on(ways, node, walk->state);
    run_clause(walk, exec, ways->paths.reports);
    if (!a2xx_is_end(exec->opcode))
        go_on(ways, node, walk->state);
    else if (ways->paths.reports)
        ask(walk, CHECK_WHEN_END);
}

/* --- loops, jumps, calls --- */

static void step_loop_start(struct ways *ways, struct node node, struct a2c_state *state,
                            const struct a2xx_loop *loop)
{
    jump(ways, node, loop->address, state);
    if (state->loop_depth == A2XX_STACK)
        return;
    state->loops[state->loop_depth++] = (uint16_t)node.cf;
    go_on(ways, node, state);
}

static void step_loop_end(struct ways *ways, struct node node, struct a2c_state *state,
                          const struct a2xx_loop *loop)
{
    if (state->loop_depth > 0) {
        jump(ways, node, loop->address, state);
        state->loop_depth--;
    }
    go_on(ways, node, state);
}

static void call(struct ways *ways, struct node node, const struct a2c_state *state,
                 uint32_t target)
{
    unsigned depth = ways->contexts[node.context].depth;
    if (depth == A2XX_STACK) {
        go_on(ways, node, state);
        return;
    }
    if (target >= ways->checker->cf_count || ways->paths.reports)
        return;
    uint32_t context = find_context(ways, node.context, node.cf + 1, depth + 1);
    if (context != CHECK_NONE)
        reach(ways, (struct node){context, target}, state);
}

static void step_jump(struct ways *ways, struct node node, const struct a2c_state *state,
                      const struct a2xx_jump *fields)
{
    const struct context *context = &ways->contexts[node.context];
    bool returns = fields->opcode == A2XX_CF_RETURN;
    if (returns && context->depth > 0)
        reach(ways, (struct node){context->parent, context->back}, state);
    else if (returns || !fields->unconditional)
        go_on(ways, node, state);
    if (fields->opcode == A2XX_CF_COND_CALL)
        call(ways, node, state, fields->address);
    else if (!returns)
        jump(ways, node, fields->address, state);
}

/* --- all instructions --- */

static void step(struct check_paths *paths, uint32_t number, const void *before)
{
    struct ways *ways = paths->user;
    struct a2c_checker *checker = ways->checker;
    const struct node node = {number / checker->cf_count, number % checker->cf_count};
    const struct context *context = &ways->contexts[node.context];
    const struct a2xx_cf *cf = &checker->cfs[node.cf];
    struct a2c_state state = *(const struct a2c_state *)before;
    struct a2c_walk walk = {.checker = checker,
                            .state = &state,
                            .cf = node.cf,
                            .at = a2c_cf(node.cf),
                            .calls = context->depth,
                            .caller = context->back - 1};
    if (paths->reports) {
        checker->reached[node.cf] = true;
        ask(&walk, CHECK_WHEN_PATH);
    }
    state.mixed = false;
    switch (cf->opcode) {
    case A2XX_CF_LOOP_START: step_loop_start(ways, node, &state, &cf->loop); return;
    case A2XX_CF_LOOP_END: step_loop_end(ways, node, &state, &cf->loop); return;
    case A2XX_CF_MARK_VS_FETCH_DONE: state.fetch_done = true; break;
    default: break;
    }
    if (cf->form == A2XX_FORM_EXEC)
        step_exec(ways, node, &walk, &cf->exec);
    else if (cf->form == A2XX_FORM_JUMP)
        step_jump(ways, node, &state, &cf->jump);
    else {
        if (cf->form == A2XX_FORM_ALLOC)
            a2c_step_alloc(&walk, &cf->alloc);
        go_on(ways, node, &state);
    }
}

static bool ask_paths(struct a2c_checker *checker)
{
    static const struct check_paths_machine machine = {
        .state_bytes = sizeof(struct a2c_state), .join = a2c_state_merge, .step = step};
    struct ways ways = {.checker = checker, .paths = {.machine = &machine, .user = &ways}};
    struct check_paths *paths = &ways.paths;
    struct a2c_state start;
    ways.contexts_max = NODES_MAX / (checker->cf_count + 1) + 1;
    ways.contexts = calloc(ways.contexts_max, sizeof *ways.contexts);
    if (!ways.contexts)
        return false;
    paths->steps_max = (uint64_t)ways.contexts_max * (checker->cf_count + 1) * STEPS_PER_NODE;
    checker->passes_end = false;
    a2c_state_begin(&start, checker);
    find_context(&ways, CHECK_NONE, CHECK_NONE, 0);
    check_paths_follow(paths, checker->cf_count, &start);
    checker->passes_end &= !paths->limited;
    if (paths->limited)
        check_report_title(&checker->out, CHECK_LIMIT, a2c_cf(0), CHECK_ALONE);
    else if (!paths->no_memory)
        check_paths_report(paths);
    check_paths_free(paths);
    free(ways.contexts);
    return !paths->no_memory;
}

/* --- one program --- */

/* Asks about an instruction of a clause. If its words are those of the other kind, most rules are
 * not asked. */
static void ask_slot(struct a2c_walk *walk, const struct a2xx_exec *exec, uint32_t i)
{
    const uint32_t *words = a2c_words(walk->checker, exec->address + i);
    struct fields fields;
    enter(walk, &fields, exec, i);
    walk->contrary = walk->fetch ? a2c_looks_like_alu(words, walk->checker->variant)
                                 : a2c_looks_like_fetch(words, walk->checker->variant);
    ask(walk, CHECK_WHEN_WORD);
    if (walk->contrary)
        return;
    if (walk->fetch)
        ask(walk, CHECK_WHEN_FETCH);
    else
        ask(walk, CHECK_WHEN_ALU);
}

/* Asks about the control flow and all clauses. Some pixels may skip the clauses between a
 * predicated jump and its target. */
static void ask_words(struct a2c_checker *checker)
{
    uint32_t target = 0;
    for (uint32_t i = 0; i < checker->cf_count; i++) {
        const struct a2xx_cf *cf = &checker->cfs[i];
        struct a2c_walk walk = {.checker = checker, .cf = i, .at = a2c_cf(i)};
        bool jumps = cf->form == A2XX_FORM_JUMP && cf->jump.predicated && !cf->jump.unconditional;
        if (jumps && cf->jump.address > target)
            target = cf->jump.address;
        ask(&walk, CHECK_WHEN_CONTROL);
        walk.divergent = i < target || a2xx_is_predicated_exec(cf->opcode);
        uint32_t count = cf->form == A2XX_FORM_EXEC ? a2c_count(checker, &cf->exec) : 0;
        for (uint32_t k = 0; k < count; k++)
            if (cf->exec.address + k >= checker->cf_slots) /* otherwise it overlaps control flow */
                ask_slot(&walk, &cf->exec, k);
    }
}

bool a2c_ask_all(struct a2c_checker *checker)
{
    ask_words(checker);
    if (!ask_paths(checker))
        return false;
    ask(&(struct a2c_walk){.checker = checker}, CHECK_WHEN_PROGRAM);
    return true;
}
