/* SPDX-License-Identifier: MIT */
/* qpu_check_program.c - asks the rules about a program: about its instructions, and about all
 * paths, with facts that may hold and facts that must hold before an instruction.
 *
 * In:     the graph of a program.
 * Out:    findings.
 * Method: check_paths.h, with a node for each node of the graph. Numbers are ranges; the upper
 *         limit of a number that grows in a loop becomes unlimited. Where a branch leads to an
 *         unknown address, anything may have happened.
 * Source: qpu_rules.def. */
#include <string.h>

#include "check/frame/check_paths.h"
#include "check/qpu/qpu_walk.h"

enum {
    VISITS_MAX = 6, /* visits of a node before its ranges become unlimited */
    STEPS_PER_NODE = 64,
    END_SLOTS = 2,
    FARTHEST = 3,     /* largest distance in instructions that a rule examines */
    PAIRS_MAX = 1024, /* most pairs examined for one node; where many paths join, further pairs are
                       * skipped */
};

uint32_t walk_distance(const struct walk *walk, uint32_t other)
{
    uint32_t distance = other == CHECK_NONE
                            ? 0
                            : found_distance(&walk->checker->flow, other, walk->node);
    return distance > walk->late ? distance - walk->late : 0;
}

void walk_title(const struct walk *walk, enum check_rule rule, uint32_t other)
{
    FOUND(walk, rule, other, 0, "%s", check_rule(rule)->title);
}

struct walk walk_last(const struct walk *walk)
{
    struct walk last = *walk;
    last.word += last.late;
    last.late = 0;
    return last;
}

/* --- varyings --- */

/* Returns true if a varying is read after a thread switch, or in the instruction of the switch. */
bool qpu_reads_varying_after_switch(const struct walk *walk)
{
    uint32_t accesses = walk->facts->accesses;
    return (accesses & ACCESS_VARYING) && (walk->state->may_switch || (accesses & ACCESS_SWITCH));
}

static void walk_varyings(struct walk *walk)
{
    const struct qpu_facts *facts = walk->facts;
    bool used = false;
    if (!(facts->accesses & ACCESS_VARYING))
        return;
    for (unsigned file = 0; file < 2; file++)
        used |= facts->port[file] == QPU_RD_VARYING &&
                facts->port_condition[file] != QPU_COND_NEVER;
    walk->state->varyings = range_add(walk->state->varyings, 1, 1);
    walk->state->varyings_used = range_add(walk->state->varyings_used, used, used);
}

/* Reports varyings that are not read. One rule is about programs that read only as many as the
 * shader record has, and so not the implicit coordinates of points and lines. */
void qpu_check_left_varyings(const struct walk *walk, enum check_rule rule)
{
    struct range read = walk->state->varyings;
    const struct check_entry *entry = &walk->checker->entry;
    int least = entry->varyings + entry->implicit_least;
    bool every = read.high < least; /* on every path, not only on some */
    unsigned most = every ? read.high : read.low;
    bool implicit = entry->implicit_least && (int)most == entry->varyings;
    if (walk->checker->kind != TESS_SHADER_FRAGMENT || entry->varyings < 0 ||
        read.high == UNLIMITED || read.low >= least || implicit != (rule == CHECK_VARYING_IMPLICIT))
        return;
    if (implicit)
        FOUND(walk, rule, CHECK_NONE, 0,
              "%u of %d varyings %s read; the shader record's varyings come after %s", most, least,
              most == 1 ? "is" : "are",
              entry->implicit_least > 1 ? "the two coordinates within the point"
                                        : "the coordinate across the line");
    else
        FOUND(walk, rule, CHECK_NONE, 0, "only %u of %d varyings %s read %s", most, least,
              most == 1 ? "is" : "are",
              every ? "before the program ends" : "on one path to the program's end");
}

void qpu_check_extra_varyings(const struct walk *walk)
{
    const struct check_entry *entry = &walk->checker->entry;
    unsigned used = walk->state->varyings_used.low;
    int most = entry->varyings + entry->implicit_most;
    if (walk->checker->kind == TESS_SHADER_FRAGMENT && entry->varyings >= 0 && (int)used > most)
        FOUND(walk, CHECK_VARYING_EXTRA, CHECK_NONE, 0, "%u varying%s read, but the program has %d",
              used, used == 1 ? " is" : "s are", most);
}

bool qpu_varyings_differ(const struct walk *walk)
{
    struct range read = walk->state->varyings;
    const struct check_entry *entry = &walk->checker->entry;
    bool left = entry->varyings >= 0 && read.low < entry->varyings + entry->implicit_least;
    return walk->checker->kind == TESS_SHADER_FRAGMENT && read.low != read.high &&
           (!left || read.high == UNLIMITED);
}

/* --- special functions --- */

/* Reports erratum HW-1451: exp of a value below -127. */
void qpu_check_exp(const struct walk *walk)
{
    for (unsigned unit = 0; unit < 2; unit++) {
        const struct qpu_write *write = &walk->facts->write[unit];
        uint32_t bits;
        float value;
        if (!write->present || write->address != QPU_WR_SFU_EXP || !walk_result(walk, unit, &bits))
            continue;
        memcpy(&value, &bits, sizeof value);
        if (value < -127.0f)
            FOUND(walk, CHECK_A0_EXP, CHECK_NONE, unit, "exp of %g is computed", (double)value);
    }
}

/* --- the functions of the rules --- */

#define ASK_RULE(NAME)  CHECK_##NAME
#define ASK_TITLE(rule) walk_title(walk, rule, CHECK_NONE)

CHECK_ASKS ask(const struct walk *walk, enum check_when when)
{
#include "check/frame/asks.h"
#include "check/qpu/qpu_rules.def"
}

void walk_write(struct walk *walk, unsigned unit)
{
    walk->unit = unit;
    if (!walk->silent)
        ask(walk, CHECK_WHEN_WRITE);
}

/* Asks about the instruction and those on all paths to a node. *left is the number of pairs that
 * may still be examined. */
static void go_back(struct walk *walk, uint32_t node, unsigned *left)
{
    const struct flow *flow = &walk->checker->flow;
    const struct flow_node *at = &flow->nodes[node];
    walk->distance++;
    for (uint32_t i = 0; i < at->before_count && *left != 0; i++) {
        const struct flow_edge *edge = &flow->edges[flow->before[at->before + i]];
        if (edge->unknown)
            continue;
        --*left;
        walk->early_word = flow->nodes[edge->from].at.word;
        walk->early = &walk->checker->facts[walk->early_word];
        ask(walk, CHECK_WHEN_PAIR);
        if (walk->distance < FARTHEST)
            go_back(walk, edge->from, left);
    }
    walk->distance--;
}

/* Checks the state after the last instruction. Reads in the two instructions after the program end
 * come too late, but count as reads here, because CHECK_END_RULES reports them. */
static void check_end(struct walk *walk)
{
    walk->late = END_SLOTS;
    walk->word -= END_SLOTS; /* the instruction that signals the end */
    ask(walk, CHECK_WHEN_END);
    end_others(walk);
}

/* Returns true if no path of the program ends or branches to an unknown address. */
bool qpu_has_no_end(const struct walk *walk)
{
    const struct flow *flow = &walk->checker->flow;
    bool stops = flow->limited;
    for (uint32_t i = 0; i < flow->node_count; i++)
        stops |= flow->nodes[i].at.end == END_SLOTS || flow->nodes[i].trouble;
    return !stops;
}

/* Computes the state after the instruction. Transfers come before setups of the VPM, which advance
 * the output row, and reads of uniforms come after all uses of their values. */
static void walk_node(struct walk *walk)
{
    walk_undefined(walk);
    walk_dma(walk);
    walk_vpm(walk);
    walk_tmu(walk);
    walk_uniforms(walk);
    walk_scoreboard(walk);
    walk_tests(walk);
    walk_mutex(walk);
    walk_others(walk);
    walk_switch(walk);
    walk_varyings(walk);
    walk_partial(walk);
    walk_kinds(walk);
    define_results(walk);
    keep_constants(walk);
    finish_switch(walk);
}

/* --- all paths --- */

static struct walk walk_at(struct checker *checker, uint32_t node, struct state *state)
{
    uint32_t word = checker->flow.nodes[node].at.word;
    return (struct walk){.checker = checker,
                         .state = state,
                         .facts = &checker->facts[word],
                         .node = node,
                         .word = word};
}

static void step(struct check_paths *paths, uint32_t node, const void *before)
{
    struct checker *checker = paths->user;
    const struct flow *flow = &checker->flow;
    const struct flow_node *at = &flow->nodes[node];
    struct state state = *(const struct state *)before, unknown;
    struct walk walk = walk_at(checker, node, &state);
    walk.silent = !paths->reports;
    if (paths->reports)
        ask(&walk, CHECK_WHEN_PATH);
    walk_node(&walk);
    if (paths->reports && at->at.end == END_SLOTS)
        check_end(&walk);
    for (uint32_t i = 0; i < at->next_count && !paths->reports; i++) {
        const struct flow_edge *edge = &flow->edges[flow->next[at->next + i]];
        if (edge->unknown)
            state_anything(&unknown);
        check_paths_reach(paths, edge->to, edge->unknown ? &unknown : &state);
    }
}

bool check_program(struct checker *checker)
{
    static const struct check_paths_machine machine = {.state_bytes = sizeof(struct state),
                                                       .widen_after = VISITS_MAX,
                                                       .join = state_merge,
                                                       .step = step};
    const struct flow *flow = &checker->flow;
    struct check_paths paths = {.machine = &machine,
                                .user = checker,
                                .steps_max = (uint64_t)flow->node_count * STEPS_PER_NODE - 1};
    struct state start;
    for (uint32_t i = 0; i < flow->node_count; i++) {
        struct walk walk = walk_at(checker, i, NULL);
        unsigned left = PAIRS_MAX;
        ask(&walk, CHECK_WHEN_WORD);
        go_back(&walk, i, &left);
    }
    bool part = checker->input->partial && !checker->ends;
    if (checker->fresh && !flow->unknown && !flow->limited && !part)
        state_begin(&start, checker->kind);
    else
        state_anything(&start);
    checker->at_ends.count = 0;
    check_paths_follow(&paths, flow->node_count, &start);
    if (!paths.limited && !paths.no_memory)
        check_paths_report(&paths);
    const struct walk program = walk_at(checker, 0, NULL);
    ask(&program, CHECK_WHEN_PROGRAM);
    if (paths.limited || flow->limited)
        check_report_title(&checker->out, CHECK_LIMIT, flow->nodes[0].at.word, CHECK_ALONE);
    check_paths_free(&paths);
    return !paths.no_memory;
}
