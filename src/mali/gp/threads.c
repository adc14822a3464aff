/* SPDX-License-Identifier: MIT */
/* threads.c - distributes the vertices of a run to host threads.
 *
 * In:      a batch.
 * Out:     the same results as with a single thread. The batch is divided into chunks of constant
 *          size. The counters and findings of the chunks are combined in the order of the chunks.
 *          Chunks after the first one with a runaway vertex are ignored.
 * Source:  a choice, because the hardware has only one vertex processor. */
#include <stdlib.h>

#include "base/parallel_for.h"
#include "mali/gp/gp.h"

enum {
    CHUNK = 32 * GP_LANES, /* number of vertices per chunk */
    WAVE = 1024,           /* number of chunks that run before their findings are combined */
};

struct chunk {
    struct tess_gp_stats stats;
    struct fault_log faults;
    bool runaway, failed;
};

struct wave {
    struct tess_gp *gp;
    const struct tess_gp_batch *batch;
    size_t first, count; /* range of vertices */
    uint32_t chunks;
    struct chunk chunk[];
};

static void run_chunk(struct wave *wave, struct gp_machine *machine, uint32_t number)
{
    struct chunk *chunk = &wave->chunk[number];
    size_t done = (size_t)number * CHUNK,
           end = wave->count - done < CHUNK ? wave->count : done + CHUNK;
    machine->stats = (struct tess_gp_stats){0};
    machine->runaway = machine->failed = false;
    while (done < end && !machine->runaway && !machine->failed) {
        unsigned lanes = end - done < GP_LANES ? (unsigned)(end - done) : GP_LANES;
        gp_run_lanes(machine, wave->first + done, lanes);
        done += lanes;
    }
    chunk->stats = machine->stats;
    chunk->runaway = machine->runaway;
    chunk->failed = machine->failed;
    fault_log_take(&chunk->faults, &machine->faults);
}

static bool make_ready(void *user, unsigned worker)
{
    struct wave *wave = user;
    return gp_machine_ready(wave->gp, worker, wave->gp->code, wave->batch) != NULL;
}

static bool run_piece(void *user, unsigned worker, uint32_t number)
{
    struct wave *wave = user;
    run_chunk(wave, wave->gp->machine[worker], number);
    return !wave->chunk[number].runaway && !wave->chunk[number].failed;
}

/* Combines the results of the chunks in order. Ignores chunks after a chunk with a runaway vertex
 * or an error. */
static void gather(struct wave *wave, bool *runaway, bool *failed)
{
    for (uint32_t i = 0; i < wave->chunks; i++) {
        struct chunk *chunk = &wave->chunk[i];
        if (!*runaway && !*failed) {
            gp_add_stats(&wave->gp->stats, &chunk->stats);
            fault_log_merge(&wave->gp->faults, &chunk->faults);
            *runaway = chunk->runaway;
            *failed = chunk->failed;
        }
        fault_log_free(&chunk->faults);
    }
}

static void begin_wave(struct wave *wave, size_t first, size_t left)
{
    const size_t most = (size_t)WAVE * CHUNK;
    wave->first = first;
    wave->count = left < most ? left : most;
    wave->chunks = (uint32_t)((wave->count + CHUNK - 1) / CHUNK);
}

enum tess_status gp_run_threads(struct tess_gp *gp, const struct tess_gp_batch *batch)
{
    size_t chunks = batch->count / CHUNK + 1;
    chunks = chunks < WAVE ? chunks : WAVE;
    struct wave *wave = calloc(1, sizeof *wave + chunks * sizeof wave->chunk[0]);
    bool runaway = false, failed = !wave;
    for (size_t done = 0; done < batch->count && !runaway && !failed; done += wave->count) {
        wave->gp = gp;
        wave->batch = batch;
        begin_wave(wave, batch->first + done, batch->count - done);
        const struct parallel_for deal = {.threads = gp->options.threads,
                                          .pieces = wave->chunks,
                                          .ready = make_ready,
                                          .run = run_piece,
                                          .user = wave};
        failed = !parallel_for(&deal);
        gather(wave, &runaway, &failed);
    }
    free(wave);
    return gp_run_ended(gp, batch, runaway, failed);
}
