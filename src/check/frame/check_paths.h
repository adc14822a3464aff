/* SPDX-License-Identifier: MIT */
/* check_paths.h - follows all paths through a program.
 *
 * In:  the state before the first node, and a machine's step: the state after a node, and the
 *      node's successors. A node is an instruction, in a context if the machine needs one.
 * Out: for each node that a path reaches, a state that holds on all paths to the node; then one
 *      visit of each reached node, in order of their numbers, which reports the findings.
 * How: repeats the step of each node whose state changed, first in first out, until no state
 *      changes. A join only adds possibilities and removes certainties. If numbers in a state can
 *      grow in a loop, the join must make them unlimited when it is asked to widen. */
#ifndef CHECK_FRAME_CHECK_PATHS_H
#define CHECK_FRAME_CHECK_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct check_paths;

/* What a machine defines. */
struct check_paths_machine {
    size_t state_bytes;
    uint8_t widen_after; /* visits of a node after which its joins widen; 0 for never */

    /* Merges the state of another path into *to. Returns true if *to changed. */
    bool (*join)(void *to, const void *from, bool widen);

    /* Computes the state after a node from the state before it, and calls check_paths_reach() for
     * each successor. *before is valid up to the first of these calls. Reports findings if
     * paths->reports is set. */
    void (*step)(struct check_paths *paths, uint32_t node, const void *before);
};

/* Set machine, user and steps_max, and zero-initialise the other fields. Free it with
 * check_paths_free(). */
struct check_paths {
    const struct check_paths_machine *machine;
    void *user;
    uint64_t steps_max; /* most steps until no state changes */

    bool reports;
    bool limited; /* true if a limit was reached. A step may set it, too */
    bool no_memory;

    struct check_paths_node *nodes;
    uint8_t *states;
    uint32_t capacity, first, last; /* first, last: ends of the queue; CHECK_PATHS_END if empty */
};

/* Follows all paths from node 0. count is the expected number of nodes. Stops early if
 * paths->limited or paths->no_memory is set. */
void check_paths_follow(struct check_paths *paths, uint32_t count, const void *start);

/* Continues a path at a node with a state. Does nothing while findings are reported. */
void check_paths_reach(struct check_paths *paths, uint32_t node, const void *state);

/* Visits all reached nodes with paths->reports set. */
void check_paths_report(struct check_paths *paths);

void check_paths_free(struct check_paths *paths);

#endif
