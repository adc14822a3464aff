/* SPDX-License-Identifier: MIT */
/* check_paths.c - see check_paths.h. */
#include "check/frame/check_paths.h"

#include <stdlib.h>
#include <string.h>

#define END UINT32_MAX

struct check_paths_node {
    uint32_t next; /* next node in the queue, or END */
    bool reached, queued;
    uint8_t visits; /* number of visits, up to widen_after */
};

static uint8_t *state_of(const struct check_paths *paths, uint32_t node)
{
    return paths->states + (size_t)node * paths->machine->state_bytes;
}

/* Makes room for count nodes. The states of nodes that no path has reached are not initialised. */
static bool reserve(struct check_paths *paths, uint32_t count)
{
    uint32_t wanted = paths->capacity;
    if (count <= paths->capacity)
        return true;
    while (wanted < count)
        wanted = wanted < count / 2 ? count : 2 * wanted + 1;
    struct check_paths_node *nodes = realloc(paths->nodes, wanted * sizeof *nodes);
    paths->nodes = nodes ? nodes : paths->nodes;
    uint8_t *states = realloc(paths->states, wanted * paths->machine->state_bytes);
    paths->states = states ? states : paths->states;
    paths->no_memory |= !nodes || !states;
    if (paths->no_memory)
        return false;
    memset(nodes + paths->capacity, 0, (wanted - paths->capacity) * sizeof *nodes);
    paths->capacity = wanted;
    return true;
}

static void enqueue(struct check_paths *paths, uint32_t number)
{
    struct check_paths_node *node = &paths->nodes[number];
    node->queued = true;
    node->next = END;
    if (paths->first == END)
        paths->first = number;
    else
        paths->nodes[paths->last].next = number;
    paths->last = number;
}

static uint32_t dequeue(struct check_paths *paths)
{
    uint32_t number = paths->first;
    paths->first = paths->nodes[number].next;
    paths->nodes[number].queued = false;
    return number;
}

void check_paths_reach(struct check_paths *paths, uint32_t number, const void *state)
{
    uint8_t widen_after = paths->machine->widen_after;
    if (paths->reports || paths->no_memory || !reserve(paths, number + 1))
        return;
    struct check_paths_node *node = &paths->nodes[number];
    bool widen = widen_after && node->visits >= widen_after, first = !node->reached;
    if (first)
        memcpy(state_of(paths, number), state, paths->machine->state_bytes);
    node->reached = true;
    if ((!first && !paths->machine->join(state_of(paths, number), state, widen)) || node->queued)
        return;
    node->visits = (uint8_t)(node->visits + (node->visits < widen_after));
    enqueue(paths, number);
}

void check_paths_follow(struct check_paths *paths, uint32_t count, const void *start)
{
    paths->first = END;
    if (!reserve(paths, count))
        return;
    check_paths_reach(paths, 0, start);
    paths->nodes[0].visits = 0; /* the start of the program is no visit */
    for (uint64_t left = paths->steps_max; paths->first != END && !paths->no_memory; left--) {
        paths->limited |= left == 0;
        if (paths->limited)
            return;
        uint32_t node = dequeue(paths);
        paths->machine->step(paths, node, state_of(paths, node));
    }
}

void check_paths_report(struct check_paths *paths)
{
    paths->reports = true;
    for (uint32_t i = 0; i < paths->capacity; i++)
        if (paths->nodes[i].reached)
            paths->machine->step(paths, i, state_of(paths, i));
}

void check_paths_free(struct check_paths *paths)
{
    free(paths->nodes);
    free(paths->states);
}
