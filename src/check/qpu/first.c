/* SPDX-License-Identifier: MIT */
/* first.c - registers that a program may have written when it first reaches an instruction.
 *
 * In:     the graph of a program.
 * Out:    true if a register may have been written on a path that has not passed the instruction
 *         before.
 * Method: a write counts if one path leads from the entry to the write, another path leads from the
 *         write to the instruction, and neither path passes the instruction earlier. Two searches
 *         find these writes for all registers. The marks that the searches leave are kept for
 *         further queries about the same instruction. */
#include "check/qpu/qpu_check_private.h"

#include <stdlib.h>
#include <string.h>

enum {
    STEPS_LEAST = 1 << 22,
    FROM_ENTRY = 1,      /* mark of a node that a path from the entry reaches */
    TO_NODE = 2,         /* mark of a node from which a path leads to the instruction */
    STEPS_PER_NODE = 64, /* visits that all searches of a program may make for each node of the
                          * program, in addition to STEPS_LEAST */
};

struct first {
    uint32_t node; /* node whose instruction the marks are about, or CHECK_NONE before the first
                    * search */
    uint64_t left; /* nodes that may still be visited */
    uint8_t *marks;
    uint32_t *queue;
};

void first_free(struct checker *checker)
{
    if (checker->first) {
        free(checker->first->marks);
        free(checker->first->queue);
    }
    free(checker->first);
    checker->first = NULL;
}

static struct first *start(struct checker *checker)
{
    uint32_t count = checker->flow.node_count;
    struct first *first = calloc(1, sizeof *first);
    checker->first = first;
    if (!first)
        return NULL;
    first->node = CHECK_NONE;
    first->left = (uint64_t)count * STEPS_PER_NODE + STEPS_LEAST;
    first->marks = malloc(count);
    first->queue = malloc(count * sizeof *first->queue);
    if (first->marks && first->queue)
        return first;
    checker->out.no_memory = true;
    first_free(checker);
    return NULL;
}

static void reach(struct first *first, const struct flow *flow, uint32_t node, uint32_t word,
                  uint8_t mark, uint32_t *tail)
{
    if (flow->nodes[node].at.word == word || (first->marks[node] & mark))
        return;
    first->marks[node] |= mark;
    first->queue[(*tail)++] = node;
}

/* Marks the nodes that a path from start_at reaches (mark is FROM_ENTRY), or from which a path
 * leads to start_at (mark is TO_NODE). Paths do not pass the instruction at word. start_at may be a
 * node of that instruction. */
static void search(struct first *first, const struct flow *flow, uint32_t start_at, uint32_t word,
                   uint8_t mark)
{
    bool back = mark == TO_NODE;
    uint32_t tail = 0;
    if (back)
        first->queue[tail++] = start_at;
    else
        reach(first, flow, start_at, word, mark, &tail);
    for (uint32_t head = 0; head < tail; head++) {
        const struct flow_node *at = &flow->nodes[first->queue[head]];
        uint32_t count = back ? at->before_count : at->next_count;
        const uint32_t *edges = back ? flow->before + at->before : flow->next + at->next;
        for (uint32_t i = 0; i < count; i++) {
            const struct flow_edge *edge = &flow->edges[edges[i]];
            reach(first, flow, back ? edge->from : edge->to, word, mark, &tail);
        }
    }
}

/* Computes the marks for the instruction of a node, unless marks already has them. Returns false if
 * the budget is spent or the host is out of memory. */
static bool look(struct checker *checker, uint32_t node)
{
    const struct flow *flow = &checker->flow;
    struct first *first = checker->first ? checker->first : start(checker);
    if (!first || first->left < 2 * (uint64_t)flow->node_count)
        return false;
    if (first->node == node)
        return true;
    first->left -= 2 * (uint64_t)flow->node_count;
    first->node = node;
    memset(first->marks, 0, flow->node_count);
    uint32_t word = flow->nodes[node].at.word;
    search(first, flow, 0, word, FROM_ENTRY);
    search(first, flow, node, word, TO_NODE);
    return true;
}

static bool writes(const struct qpu_facts *facts, unsigned place)
{
    return place < 64 ? facts_writes_register(facts, place / 32, place % 32)
                      : facts->sets >> (place - 64) & 1;
}

/* Returns true if the program can reach the node without executing the node's instruction
 * earlier. */
static bool is_entered(const struct first *first, const struct flow *flow, uint32_t node)
{
    const struct flow_node *at = &flow->nodes[node];
    for (uint32_t i = 0; i < at->before_count; i++)
        if (first->marks[flow->edges[flow->before[at->before + i]].from] & FROM_ENTRY)
            return true;
    return node == 0;
}

bool first_may_be_written(struct checker *checker, uint32_t node, unsigned place)
{
    const struct flow *flow = &checker->flow;
    if (flow->unknown || flow->limited || !look(checker, node) ||
        !is_entered(checker->first, flow, node))
        return true;
    for (uint32_t i = 0; i < flow->node_count; i++)
        if (checker->first->marks[i] == (FROM_ENTRY | TO_NODE) &&
            writes(&flow->facts[flow->nodes[i].at.word], place))
            return true;
    return false;
}
