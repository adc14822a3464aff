/* SPDX-License-Identifier: MIT */
/* deal.h - deals numbered pieces of work out to threads.
 *
 * In:      pieces from 0 on, each of which leaves what it makes in a place of its own.
 * Out:     all are done, or all up to one that says it is the last. Later ones may have been done: the caller puts pieces
 *          together in their order, so that results do not depend on the number of threads. */
#ifndef BASE_DEAL_H
#define BASE_DEAL_H

#include <stdbool.h>
#include <stdint.h>

enum { DEAL_THREADS_MAX = 64 };

struct deal {
    unsigned threads; /* 0: as many as the host has */
    uint32_t pieces;
    /* Makes what a worker needs, on the calling thread. Workers from the first that cannot be made on are left out. */
    bool (*ready)(void *user, unsigned worker);
    /* Does a piece; false: no later one need be done. The floating-point environment is C's default. */
    bool (*run)(void *user, unsigned worker, uint32_t piece);
    void *user;
};

/* False: not a single worker could be made. The caller works too. */
bool deal_out(const struct deal *deal);

#endif
