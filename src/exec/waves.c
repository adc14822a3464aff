/* SPDX-License-Identifier: MIT */
/* waves.c - see waves.h. */
#include "exec/waves.h"

#include <fenv.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "exec/pool.h"

/* A number of chunks whose results are combined together. */
struct wave {
    const struct waves *waves;
    size_t first, count; /* range of items */
    uint32_t chunks;
    atomic_uint_fast32_t last;         /* number of the last chunk that is needed */
    atomic_uint_fast32_t *next_worker; /* number of the next worker without a thread */
    enum waves_end end[WAVES_CHUNKS];
    uint8_t *results; /* one for each chunk */
};

/* Scratch memory of a thread (pool.h). */
struct scratch {
    unsigned worker; /* number of the thread's worker, or 0 if it has none yet */
};

static void stop_after(struct wave *wave, uint_fast32_t chunk)
{
    uint_fast32_t last = atomic_load(&wave->last);
    while (chunk < last && !atomic_compare_exchange_weak(&wave->last, &last, chunk)) {
    }
}

static enum waves_end run_vectors(const struct wave *wave, unsigned worker, size_t done, size_t end)
{
    const struct waves *waves = wave->waves;
    enum waves_end how = WAVES_DONE;
    while (done < end && how == WAVES_DONE) {
        unsigned lanes = end - done < waves->lanes ? (unsigned)(end - done) : waves->lanes;
        how = waves->run(waves->user, worker, wave->first + done, lanes);
        done += lanes;
    }
    return how;
}

static void run_chunk(struct wave *wave, unsigned worker, uint32_t chunk)
{
    const struct waves *waves = wave->waves;
    size_t from = (size_t)chunk * WAVES_CHUNK, left = wave->count - from;
    waves->begin(waves->user, worker);
    wave->end[chunk] = run_vectors(wave, worker, from,
                                   from + (left < WAVES_CHUNK ? left : WAVES_CHUNK));
    waves->take(waves->user, worker, wave->results + chunk * waves->result);
    if (wave->end[chunk] != WAVES_DONE)
        stop_after(wave, chunk);
}

/* A pool_task. */
static void run_task(void *user, uint32_t chunk, void *scratch)
{
    struct wave *wave = user;
    struct scratch *own = scratch;
    if (chunk > atomic_load(&wave->last))
        return;
    if (own && !own->worker)
        own->worker = (unsigned)atomic_fetch_add(wave->next_worker, 1);
    run_chunk(wave, own ? own->worker : 0, chunk);
}

/* Combines the results of the chunks in order, up to the first chunk that stops. */
static enum waves_end gather(struct wave *wave)
{
    const struct waves *waves = wave->waves;
    enum waves_end end = WAVES_DONE;
    for (uint32_t i = 0; i < wave->chunks; i++) {
        void *result = wave->results + i * waves->result;
        if (end == WAVES_DONE) {
            waves->combine(waves->user, result);
            end = wave->end[i];
        }
        waves->drop(result);
    }
    return end;
}

static void begin_wave(struct wave *wave, size_t first)
{
    const size_t most = (size_t)WAVES_CHUNKS * WAVES_CHUNK, left = wave->waves->count - first;
    wave->first = first;
    wave->count = left < most ? left : most;
    wave->chunks = (uint32_t)((wave->count + WAVES_CHUNK - 1) / WAVES_CHUNK);
    atomic_store(&wave->last, UINT32_MAX);
    memset(wave->end, 0, sizeof wave->end);
    memset(wave->results, 0, wave->chunks * wave->waves->result);
}

/* Runs a wave on the threads of a pool, or without a pool on the caller's thread. */
static void run_wave(struct wave *wave, struct pool *pool)
{
    if (pool)
        pool_run(pool, run_task, wave, wave->chunks, NULL);
    for (uint32_t i = 0; !pool && i < wave->chunks; i++)
        run_task(wave, i, NULL);
}

/* Prepares a worker for each thread that the chunks can use. Returns the number of workers. */
static uint32_t make_ready(const struct waves *waves)
{
    size_t chunks = (waves->count + WAVES_CHUNK - 1) / WAVES_CHUNK;
    uint32_t threads = chunks <= 1 ? 1 : pool_thread_count(waves->threads), ready = 0;
    threads = threads < chunks ? threads : (uint32_t)chunks;
    while (ready < threads && waves->ready(waves->user, ready))
        ready++;
    return ready;
}

static struct wave *new_wave(const struct waves *waves)
{
    size_t chunks = waves->count / WAVES_CHUNK + 1;
    struct wave *wave = calloc(1, sizeof *wave);
    if (!wave)
        return NULL;
    wave->waves = waves;
    wave->results = calloc(chunks < WAVES_CHUNKS ? chunks : WAVES_CHUNKS, waves->result);
    if (wave->results)
        return wave;
    free(wave);
    return NULL;
}

static void free_wave(struct wave *wave)
{
    if (wave)
        free(wave->results);
    free(wave);
}

enum waves_end waves_run(const struct waves *waves)
{
    atomic_uint_fast32_t next_worker;
    struct pool_threads threads = {.scratch = sizeof(struct scratch)};
    enum waves_end end = WAVES_DONE;
    fenv_t before;
    if (waves->count == 0)
        return WAVES_DONE;
    struct wave *wave = new_wave(waves);
    threads.count = wave ? make_ready(waves) : 0;
    if (!threads.count) {
        free_wave(wave);
        return WAVES_FAILED;
    }
    atomic_store(&next_worker, 1);
    wave->next_worker = &next_worker;
    pool_threads_wake(&threads);
    fegetenv(&before);
    /* Sets rounding to nearest and enables denormals, since the models flush denormals
     * themselves. */
    fesetenv(FE_DFL_ENV);
    for (size_t done = 0; done < waves->count && end == WAVES_DONE; done += wave->count) {
        begin_wave(wave, done);
        run_wave(wave, threads.pool);
        end = gather(wave);
    }
    fesetenv(&before);
    pool_threads_rest(&threads);
    free_wave(wave);
    return end;
}
