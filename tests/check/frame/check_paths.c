/* SPDX-License-Identifier: MIT */
/* check_paths.c - tests the driver that follows all paths through a program.
 *
 * The programs are graphs of up to five nodes. Their states, visits and findings were derived by
 * hand from the rule that a state holds on all paths that lead to its node. */
#include "check/frame/check_paths.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "../../register.h"

enum { NODES = 5, NONE = 99, UNLIMITED = 255 };

/* A node adds `adds` to the counter, and sets the bit of its number. */
struct graph {
    uint32_t next[NODES][2];
    uint8_t adds[NODES];
    uint32_t order[16]; /* nodes in the order in which they were reported */
    unsigned reported, steps;
};

struct state {
    uint8_t most;          /* largest counter on a path */
    uint8_t must, padding; /* bits of the nodes on all paths */
};

static bool join(void *into, const void *other, bool widen)
{
    struct state *to = into, before = *to;
    const struct state *from = other;
    to->must &= from->must;
    if (from->most > to->most)
        to->most = widen ? UNLIMITED : from->most;
    return memcmp(&before, to, sizeof before) != 0;
}

static void step(struct check_paths *paths, uint32_t node, const void *before)
{
    struct graph *graph = paths->user;
    struct state state = *(const struct state *)before;
    state.must |= (uint8_t)(1u << node);
    if (state.most != UNLIMITED)
        state.most = (uint8_t)(state.most + graph->adds[node]);
    graph->steps += !paths->reports;
    if (paths->reports)
        graph->order[graph->reported++] = node | (uint32_t)state.must << 8 |
                                          (uint32_t)state.most << 16;
    for (unsigned i = 0; i < 2; i++)
        if (graph->next[node][i] != NONE)
            check_paths_reach(paths, graph->next[node][i], &state);
}

static bool run(struct graph *graph, uint64_t steps_max)
{
    static const struct check_paths_machine machine = {sizeof(struct state), 3, join, step};
    struct check_paths paths = {.machine = &machine, .user = graph, .steps_max = steps_max};
    const struct state start = {0};
    check_paths_follow(&paths, 1, &start);
    if (!paths.limited)
        check_paths_report(&paths);
    check_paths_free(&paths);
    assert_false(paths.no_memory);
    return !paths.limited;
}

static uint32_t seen(uint32_t node, uint32_t must, uint32_t most)
{
    return node | must << 8 | most << 16;
}

/* 0 leads to 1 and 2, both lead to 3. Node 4 is not reached. The states that join at 3 have the
 * counters 1 and 5, and only node 0 in common. */
TEST(paths_join)
{
    struct graph graph = {.next = {{1, 2}, {3, NONE}, {3, NONE}, {NONE, NONE}, {NONE, NONE}},
                          .adds = {0, 1, 5, 0, 0}};
    assert_true(run(&graph, 100));
    assert_int_equal(graph.reported, 4);
    assert_int_equal(graph.order[0], seen(0, 1, 0));
    assert_int_equal(graph.order[1], seen(1, 3, 1));
    assert_int_equal(graph.order[2], seen(2, 5, 5));
    assert_int_equal(graph.order[3], seen(3, 9, 5));
    assert_int_equal(graph.steps,
                     4); /* 3 is queued once, although two paths reach it before it runs */
}

/* 1 leads to itself and adds 1. Its first state has the counter 0, and the joins give 1, 2 and,
 * after three visits, no limit. The counter after the node is then unlimited, too. */
TEST(a_loop_widens)
{
    struct graph graph = {.next = {{1, NONE}, {1, 2}, {NONE, NONE}, {NONE, NONE}, {NONE, NONE}},
                          .adds = {0, 1, 0, 0, 0}};
    assert_true(run(&graph, 100));
    assert_int_equal(graph.reported, 3);
    assert_int_equal(graph.order[1], seen(1, 3, UNLIMITED));
    assert_int_equal(graph.order[2], seen(2, 7, UNLIMITED));
}

/* The graph of the first test takes four steps. */
TEST(a_limit_stops)
{
    const struct graph graph = {.next = {{1, 2}, {3, NONE}, {3, NONE}, {NONE, NONE}, {NONE, NONE}}};
    struct graph enough = graph, few = graph;
    assert_true(run(&enough, 4));
    assert_false(run(&few, 3));
    assert_int_equal(few.steps, 3);
    assert_int_equal(few.reported, 0);
}
