/* SPDX-License-Identifier: MIT */
/* parallel_for.h - parallel_for() runs numbered pieces of work on several threads.
 *
 * In:      pieces 0 to pieces - 1. Each piece writes its results to memory that no other piece
 *          uses.
 * Out:     all pieces are done. If run() returned false for a piece, all pieces up to this piece
 *          are done, and later pieces may be done or not. The caller combines the results in the
 *          order of the pieces, so that the combination does not depend on the number of
 *          threads. */
#ifndef BASE_PARALLEL_FOR_H
#define BASE_PARALLEL_FOR_H

#include <stdbool.h>
#include <stdint.h>

enum { PARALLEL_THREADS_MAX = 64 };

struct parallel_for {
    unsigned threads; /* maximum number of threads, or 0 for one per host processor */
    uint32_t pieces;
    /* Prepares the state of a worker. Called on the caller's thread for worker 0, 1, and so on.
     * Returns false on failure. No further workers are then prepared, and the workers that are
     * already prepared do all pieces. */
    bool (*ready)(void *user, unsigned worker);
    /* Runs one piece. Returns false if no later piece is needed. The floating-point environment is
     * C's default. */
    bool (*run)(void *user, unsigned worker, uint32_t piece);
    void *user;
};

/* Runs all pieces. The calling thread is worker 0. Returns false if worker 0 could not be
 * prepared. */
bool parallel_for(const struct parallel_for *deal);

#endif
