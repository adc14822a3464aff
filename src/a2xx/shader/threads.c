/* SPDX-License-Identifier: MIT */
/* threads.c - distributes the lanes of a run to host threads.
 *
 * In:      a batch.
 * Out:     the same results as with a single thread. The batch is divided into chunks of constant
 *          size. The counters, findings and memory exports of the chunks are combined in the order
 *          of the chunks. Chunks after the first one with a runaway lane are ignored. */
#include <stdlib.h>

#include "a2xx/shader/core.h"

enum { CHUNK = A2XX_CHUNK, WAVE = A2XX_WAVE };

struct chunk {
    struct tess_a2xx_stats stats;
    struct fault_log faults;
    struct a2xx_memory_writes writes;
    bool runaway, failed;
};

struct wave {
    struct tess_a2xx *a2xx;
    const struct tess_a2xx_batch *batch;
    size_t first, count; /* range of lanes */
    uint32_t chunks;
    struct chunk chunk[];
};

static bool make_ready(void *user, unsigned worker)
{
    struct wave *wave = user;
    return a2xx_machine_ready(wave->a2xx, worker, wave->batch) != NULL;
}

static bool run_chunk(void *user, unsigned worker, uint32_t number)
{
    struct wave *wave = user;
    struct a2xx_machine *machine = wave->a2xx->machine[worker];
    struct chunk *chunk = &wave->chunk[number];
    size_t done = (size_t)number * CHUNK,
           end = wave->count - done < CHUNK ? wave->count : done + CHUNK;
    machine->stats = (struct tess_a2xx_stats){0};
    machine->runaway = machine->failed = false;
    while (done < end && !machine->runaway && !machine->failed) {
        unsigned lanes = end - done < A2XX_LANES ? (unsigned)(end - done) : A2XX_LANES;
        a2xx_run_lanes(machine, wave->first + done, lanes);
        done += lanes;
    }
    chunk->stats = machine->stats;
    chunk->runaway = machine->runaway;
    chunk->failed = machine->failed;
    chunk->writes = machine->writes;
    machine->writes = (struct a2xx_memory_writes){0};
    fault_log_take(&chunk->faults, &machine->faults);
    return !chunk->runaway && !chunk->failed;
}

/* Combines the results of the chunks in order. Ignores chunks after a chunk with a runaway lane or
 * an error. */
static void gather(struct wave *wave, bool *runaway, bool *failed)
{
    for (uint32_t i = 0; i < wave->chunks; i++) {
        struct chunk *chunk = &wave->chunk[i];
        if (!*runaway && !*failed) {
            a2xx_add_stats(&wave->a2xx->stats, &chunk->stats);
            fault_log_merge(&wave->a2xx->faults, &chunk->faults);
            a2xx_apply_writes(wave->a2xx, &chunk->writes);
            *runaway = chunk->runaway;
            *failed = chunk->failed;
        }
        fault_log_free(&chunk->faults);
        free(chunk->writes.list);
        *chunk = (struct chunk){0};
    }
}

static bool run_wave(struct wave *wave, size_t first, size_t left)
{
    const size_t most = (size_t)WAVE * CHUNK;
    wave->first = first;
    wave->count = left < most ? left : most;
    wave->chunks = (uint32_t)((wave->count + CHUNK - 1) / CHUNK);
    const struct parallel_for deal = {.threads = wave->a2xx->options.threads,
                                      .pieces = wave->chunks,
                                      .ready = make_ready,
                                      .run = run_chunk,
                                      .user = wave};
    return parallel_for(&deal);
}

enum tess_status a2xx_run_threads(struct tess_a2xx *a2xx, const struct tess_a2xx_batch *batch)
{
    size_t chunks = batch->count / CHUNK + 1;
    chunks = chunks < WAVE ? chunks : WAVE;
    struct wave *wave = calloc(1, sizeof *wave + chunks * sizeof wave->chunk[0]);
    bool runaway = false, failed = !wave;
    for (size_t done = 0; done < batch->count && !runaway && !failed; done += wave->count) {
        wave->a2xx = a2xx;
        wave->batch = batch;
        failed = !run_wave(wave, done, batch->count - done);
        gather(wave, &runaway, &failed);
    }
    free(wave);
    return a2xx_run_ended(a2xx, batch, runaway, failed);
}
