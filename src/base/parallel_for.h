/* SPDX-License-Identifier: MIT */
/* parallel_for.h - parallel_for: runs numbered pieces of work on several threads.
 *
 * In:      pieces 0 to pieces - 1. Each piece writes its results to memory that no other piece
 *          uses.
 * Out:     all pieces are done, or all pieces up to the first whose run() returned false. Some
 *          later pieces may be done as well. The caller combines the results in piece order, so
 *          they do not depend on the number of threads. */
#ifndef BASE_PARALLEL_FOR_H
#define BASE_PARALLEL_FOR_H

#include <stdbool.h>
#include <stdint.h>

enum { PARALLEL_THREADS_MAX = 64 };

struct parallel_for {
    unsigned threads; /* maximum number of threads, 0 for the host's processor count */
    uint32_t pieces;
    /* Prepares the state of a worker; called on the caller's thread for worker 0, 1, ... The first
     * failure limits the number of workers to those already prepared. */
    bool (*ready)(void *user, unsigned worker);
    /* Runs one piece. Returns false if no later piece is needed. The floating-point environment is
     * C's default. */
    bool (*run)(void *user, unsigned worker, uint32_t piece);
    void *user;
};

/* Runs all pieces; the calling thread is worker 0. Returns false if not even worker 0 could be
 * prepared. */
bool parallel_for(const struct parallel_for *deal);

#endif
