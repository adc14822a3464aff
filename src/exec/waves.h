/* SPDX-License-Identifier: MIT */
/* waves.h - distributes the vertices or pixels of a run to host threads.
 *
 * In:      items 0 to count - 1, which a machine executes in vectors of `lanes` items.
 * Out:     the same results as with a single thread. The items are divided into chunks of constant
 *          size. The results of the chunks (counters, findings, writes) are combined in the order
 *          of the chunks. Chunks after the first one that stops are ignored.
 * Source:  a choice, because the hardware has one processor of each kind. */
#ifndef EXEC_WAVES_H
#define EXEC_WAVES_H

#include <stdbool.h>
#include <stddef.h>

enum {
    WAVES_CHUNK = 1024,  /* number of items per chunk, a multiple of each machine's lanes */
    WAVES_CHUNKS = 1024, /* number of chunks that run before their results are combined */
};

/* The end of a vector, a chunk or a run. */
enum waves_end {
    WAVES_DONE,
    WAVES_RUNAWAY, /* an item has reached its limit of instructions */
    WAVES_FAILED,  /* the host is out of memory */
};

/* A run. The functions get .user. A worker is a machine of one thread; worker 0 belongs to the
 * calling thread. */
struct waves {
    void *user;
    unsigned threads; /* maximum number of threads, or 0 for one per host processor */
    size_t count;     /* number of items */
    unsigned lanes;   /* largest number of items of a vector */
    size_t result;    /* size in bytes of a chunk's result */

    /* Prepares a worker. Called on the caller's thread for worker 0, 1, and so on. Returns false on
     * failure. No further workers are then prepared. */
    bool (*ready)(void *user, unsigned worker);
    /* Begins a chunk: sets the worker's counters to 0. */
    void (*begin)(void *user, unsigned worker);
    /* Runs a vector. The floating-point environment is C's default. */
    enum waves_end (*run)(void *user, unsigned worker, size_t first, unsigned lanes);
    /* Moves the results of a chunk from the worker to *result, which is zero. */
    void (*take)(void *user, unsigned worker, void *result);
    /* Adds a chunk's result to those of the run. Called on the caller's thread. */
    void (*combine)(void *user, void *result);
    /* Frees what a chunk's result owns. Called once for each result. */
    void (*drop)(void *result);
};

/* Runs all items. Returns the end of the first chunk that stops, or WAVES_DONE. */
enum waves_end waves_run(const struct waves *waves);

#endif
