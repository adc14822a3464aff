/* SPDX-License-Identifier: MIT */
/* qpu_check_program.c - rules about all paths through a program: facts that may hold and facts that
 * must hold before an instruction.
 *
 * In:     the graph of a program.
 * Out:    findings about queues, locks, thread switches, lost values, and resources
 *         in use at the end.
 * Method: each node has a state. States are merged from all paths that lead to the node
 *         until no state changes. Numbers are ranges; the upper limit of a number that grows
 *         in a loop becomes unlimited. Where a branch leads to an unknown address, anything
 *         may have happened.
 * Source: qpu_rules.def. */
#include <stdlib.h>
#include <string.h>

#include "check/qpu/qpu_walk.h"

enum {
    VISITS_MAX = 6, /* visits of a node before its ranges become unlimited */
    STEPS_PER_NODE = 64,
};

uint32_t walk_distance(const struct walk *walk, uint32_t other)
{
    uint32_t distance = other == FLOW_NONE
                            ? 0
                            : found_distance(&walk->checker->flow, other, walk->node);
    return distance > walk->late ? distance - walk->late : 0;
}

void walk_title(struct walk *walk, enum check_rule rule, uint32_t other)
{
    REPORT(walk, rule, other, 0, "%s", check_rule(rule)->title);
}

/* --- varyings --- */

static void walk_varyings(struct walk *walk)
{
    const struct qpu_facts *facts = walk->facts;
    bool used = false;
    if (!(facts->accesses & ACCESS_VARYING))
        return;
    if (walk->state.may_switch)
        walk_title(walk, CHECK_A0_VARYING, FLOW_NONE);
    for (unsigned file = 0; file < 2; file++)
        used |= facts->port[file] == QPU_RD_VARYING &&
                facts->port_condition[file] != QPU_COND_NEVER;
    walk->state.varyings = range_add(walk->state.varyings, 1, 1);
    walk->state.varyings_used = range_add(walk->state.varyings_used, used, used);
}

/* Reports varyings that are not read. least is the smallest number of varyings that the program
 * receives, including the implicit coordinates of points and lines. */
static void end_left(struct walk *walk, int least)
{
    struct range read = walk->state.varyings;
    const struct check_entry *entry = &walk->checker->entry;
    bool every = read.high < least; /* on every path, not only on some */
    unsigned most = every ? read.high : read.low;
    if (read.high == UNLIMITED || read.low >= least)
        return;
    if (entry->implicit_least && (int)most == entry->varyings)
        REPORT(walk, CHECK_VARYING_IMPLICIT, FLOW_NONE, 0,
               "%u of %d varyings %s read; the shader record's varyings come after %s", most, least,
               most == 1 ? "is" : "are",
               entry->implicit_least > 1 ? "the two coordinates within the point"
                                         : "the coordinate across the line");
    else
        REPORT(walk, CHECK_VARYING_LEFT, FLOW_NONE, 0, "only %u of %d varyings %s read %s", most,
               least, most == 1 ? "is" : "are",
               every ? "before the program ends" : "on one path to the program's end");
}

static void end_varyings(struct walk *walk)
{
    struct range read = walk->state.varyings;
    const struct check_entry *entry = &walk->checker->entry;
    bool known = entry->varyings >= 0;
    int least = entry->varyings + entry->implicit_least,
        most = entry->varyings + entry->implicit_most;
    if (walk->checker->kind != TESS_SHADER_FRAGMENT)
        return;
    if (known)
        end_left(walk, least);
    if (known && walk->state.varyings_used.low > most)
        REPORT(walk, CHECK_VARYING_EXTRA, FLOW_NONE, 0, "%u varying%s read, but the program has %d",
               walk->state.varyings_used.low, walk->state.varyings_used.low == 1 ? " is" : "s are",
               most);
    if (read.low != read.high && (!known || read.low >= least || read.high == UNLIMITED))
        walk_title(walk, CHECK_VARYING_DIFFER, FLOW_NONE);
}

/* --- special functions --- */

/* Reports erratum HW-1451: exp of a value below -127. */
static void walk_exp(struct walk *walk)
{
    for (unsigned unit = 0; unit < 2; unit++) {
        const struct qpu_write *write = &walk->facts->write[unit];
        uint32_t bits;
        float value;
        if (!write->present || write->address != QPU_WR_SFU_EXP || !walk_result(walk, unit, &bits))
            continue;
        memcpy(&value, &bits, sizeof value);
        if (value < -127.0f)
            REPORT(walk, CHECK_A0_EXP, FLOW_NONE, unit, "exp of %g is computed", (double)value);
    }
}

/* --- the end of the program --- */

/* Checks the state after the last instruction. Reads in the two instructions after the program end
 * come too late, but count as reads here, because CHECK_END_RULES reports them. */
static void walk_last(struct walk *walk)
{
    const struct flow_context *at = &walk->checker->flow.nodes[walk->node].at;
    if (at->end != 2)
        return;
    end_tmu(walk);
    end_locks(walk);
    walk->late = at->end;
    walk->word = at->word - walk->late; /* word of the program end's signal */
    end_varyings(walk);
    end_vpm(walk);
    end_dma(walk);
    end_threads(walk);
    end_others(walk);
    walk->late = 0;
    walk->word = at->word;
}

static void walk_node(struct walk *walk)
{
    walk_undefined(walk);
    walk_lost(walk);
    walk_registers(walk);
    walk_dma(walk);
    walk_vpm(walk);
    walk_stencil(walk);
    walk_tmu(walk);
    walk_uniforms(walk);
    walk_scoreboard(walk);
    walk_tests(walk);
    walk_mutex(walk);
    walk_others(walk);
    walk_switch(walk);
    walk_varyings(walk);
    walk_exp(walk);
    walk_last(walk);
    walk_partial(walk);
    walk_kinds(walk);
    define_results(walk);
    keep_constants(walk);
    finish_switch(walk);
}

/* --- iteration until no state changes --- */

static void start_walk(struct walk *walk, struct checker *checker, const struct state *states,
                       uint32_t node, bool silent)
{
    walk->checker = checker;
    walk->state = states[node];
    walk->node = node;
    walk->word = checker->flow.nodes[node].at.word;
    walk->facts = &checker->facts[walk->word];
    walk->late = 0;
    walk->silent = silent;
}

/* Merges the state after a node into the states of its successors. Queues the successors whose
 * state changes. */
static void spread(struct checker *checker, struct state *states, const struct walk *walk,
                   uint8_t *visits, uint32_t *queue, bool *queued, uint32_t *tail)
{
    const struct flow *flow = &checker->flow;
    const struct flow_node *node = &flow->nodes[walk->node];
    struct state unknown;
    state_anything(&unknown);
    for (uint32_t i = 0; i < node->next_count; i++) {
        const struct flow_edge *edge = &flow->edges[flow->next[node->next + i]];
        bool widen = visits[edge->to] >= VISITS_MAX;
        if (!state_merge(&states[edge->to], edge->unknown ? &unknown : &walk->state, widen) ||
            queued[edge->to])
            continue;
        visits[edge->to] += !widen;
        queued[edge->to] = true;
        queue[*tail] = edge->to;
        *tail = (*tail + 1) % flow->node_count;
    }
}

/* Iterates until no state changes. Returns false if the step limit is reached. */
static bool settle(struct checker *checker, struct state *states, uint8_t *visits, uint32_t *queue,
                   bool *queued)
{
    uint32_t head = 0, tail = 1 % checker->flow.node_count;
    uint64_t left = (uint64_t)checker->flow.node_count * STEPS_PER_NODE;
    queue[0] = 0;
    queued[0] = true;
    for (; queued[queue[head]] && left > 0; left--) {
        struct walk walk;
        uint32_t node = queue[head];
        head = (head + 1) % checker->flow.node_count;
        queued[node] = false;
        start_walk(&walk, checker, states, node, true);
        walk_node(&walk);
        spread(checker, states, &walk, visits, queue, queued, &tail);
    }
    return left > 0;
}

bool check_program(struct checker *checker)
{
    uint32_t count = checker->flow.node_count;
    struct state *states = calloc(count, sizeof *states);
    uint8_t *visits = calloc(count, sizeof *visits);
    uint32_t *queue = calloc(count, sizeof *queue);
    bool *queued = calloc(count, sizeof *queued);
    bool good = states && visits && queue && queued;
    if (good) {
        bool part = checker->input->partial && !checker->ends;
        if (checker->fresh && !checker->flow.unknown && !checker->flow.limited && !part)
            state_begin(&states[0], checker->kind);
        else
            state_anything(&states[0]);
        checker->at_ends.count = 0;
        bool settled = settle(checker, states, visits, queue, queued);
        for (uint32_t i = 0; settled && i < count; i++) {
            struct walk walk;
            start_walk(&walk, checker, states, i, false);
            if (walk.state.reached)
                walk_node(&walk);
        }
        if (settled)
            report_ends(checker);
        if (!settled || checker->flow.limited)
            found(checker, CHECK_LIMIT, checker->flow.nodes[0].at.word, ABOUT_NOTHING, "%s",
                  check_rule(CHECK_LIMIT)->title);
    }
    free(states);
    free(visits);
    free(queue);
    free(queued);
    return good;
}
