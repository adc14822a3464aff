/* SPDX-License-Identifier: MIT */
/* threads.c - deals the vertices of a run out to threads.
 *
 * In:      a batch.
 * Out:     what one thread after the other would make of it: vertices are cut into chunks of always the same size, and what
 *          chunks have counted and found is put together in their order. A chunk with a vertex that does not end is the last.
 * Source:  a choice; hardware has one vertex processor. */
#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "utgard/gp.h"

enum {
    CHUNK = 32 * GP_LANES, /* vertices */
    WAVE = 1024,           /* chunks that are begun before what they found is put together */
};

struct chunk {
    struct tess_gp_stats stats;
    struct fault_log faults;
    bool runaway, failed;
};

struct wave {
    struct tess_gp *gp;
    const struct tess_gp_batch *batch;
    size_t first, count; /* vertices */
    uint32_t chunks;
    atomic_uint_fast32_t next, last; /* chunks; no later one is begun */
    struct chunk chunk[];
};

struct worker {
    struct wave *wave;
    struct gp_machine *machine;
    pthread_t thread;
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

static void stop_after(struct wave *wave, uint_fast32_t number)
{
    uint_fast32_t last = atomic_load(&wave->last);
    while (number < last && !atomic_compare_exchange_weak(&wave->last, &last, number)) {
    }
}

static void *work(void *user)
{
    struct worker *worker = user;
    struct wave *wave = worker->wave;
    fenv_t before;
    fegetenv(&before);
    fesetenv(FE_DFL_ENV); /* to nearest, and denormals are numbers: the model flushes them itself */
    for (;;) {
        uint_fast32_t number = atomic_fetch_add(&wave->next, 1);
        if (number >= wave->chunks || number > atomic_load(&wave->last))
            break;
        run_chunk(wave, worker->machine, (uint32_t)number);
        if (wave->chunk[number].runaway || wave->chunk[number].failed)
            stop_after(wave, number);
    }
    fesetenv(&before);
    return NULL;
}

static unsigned host_threads(void)
{
    long host = sysconf(_SC_NPROCESSORS_ONLN);
    return host > 0 ? (unsigned)host : 1;
}

static unsigned thread_count(const struct tess_gp *gp, uint32_t chunks)
{
    if (chunks == 1)
        return 1; /* asking the host takes longer */
    unsigned threads = gp->options.threads ? gp->options.threads : host_threads();
    threads = threads < GP_THREADS_MAX ? threads : GP_THREADS_MAX;
    return threads < chunks ? threads : chunks;
}

/* The caller works too. What cannot be started is done by the others. */
static bool run_wave(struct wave *wave)
{
    struct tess_gp *gp = wave->gp;
    struct worker worker[GP_THREADS_MAX];
    unsigned threads = thread_count(gp, wave->chunks), ready = 0, started = 1;
    for (; ready < threads; ready++) {
        struct gp_machine *machine = gp_machine_ready(gp, ready, gp->code, wave->batch);
        if (!machine)
            break;
        worker[ready] = (struct worker){.wave = wave, .machine = machine};
    }
    if (!ready)
        return false;
    while (started < ready &&
           pthread_create(&worker[started].thread, NULL, work, &worker[started]) == 0)
        started++;
    work(&worker[0]);
    while (started-- > 1)
        pthread_join(worker[started].thread, NULL);
    return true;
}

/* Puts chunks together up to the last that counts. */
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
    atomic_store(&wave->next, 0);
    atomic_store(&wave->last, WAVE);
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
        failed = !run_wave(wave);
        gather(wave, &runaway, &failed);
    }
    free(wave);
    return gp_run_ended(gp, batch, runaway, failed);
}
