/* SPDX-License-Identifier: MIT */
/* job_pool.c - see job_pool.h. Workers wait between windows; within one, each takes the next job. */
#include "vc4/job_pool.h"

#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct worker {
    struct job_pool *pool;
    pthread_t thread;
    struct qpu_cache *instructions;
};

struct job_pool {
    pthread_mutex_t mutex;
    pthread_cond_t start, done;
    uint64_t window; /* counts the windows that have been started */
    uint32_t busy;   /* workers that have not finished this one */
    bool quit;

    /* The window. */
    struct tess_vc4 *vc4;
    struct job *const *job;
    uint32_t count;
    atomic_uint_fast32_t next;

    uint32_t workers, started;
    struct worker worker[]; /* the first is the caller itself */
};

static void draw_jobs(struct job_pool *pool, struct qpu_cache *instructions)
{
    for (;;) {
        uint_fast32_t next = atomic_fetch_add(&pool->next, 1);
        if (next >= pool->count)
            return;
        job_draw_ahead(pool->vc4, pool->job[next], instructions);
    }
}

/* Waits for a window after `seen`; false when the pool ends. */
static bool wait_for_window(struct job_pool *pool, uint64_t *seen)
{
    pthread_mutex_lock(&pool->mutex);
    while (pool->window == *seen && !pool->quit)
        pthread_cond_wait(&pool->start, &pool->mutex);
    *seen = pool->window;
    bool quit = pool->quit;
    pthread_mutex_unlock(&pool->mutex);
    return !quit;
}

static void finish_window(struct job_pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    if (--pool->busy == 0)
        pthread_cond_signal(&pool->done);
    pthread_mutex_unlock(&pool->mutex);
}

static void *work(void *user)
{
    struct worker *worker = user;
    uint64_t seen = 0;
    fesetenv(FE_DFL_ENV); /* setup arithmetic rounds to nearest */
    while (wait_for_window(worker->pool, &seen)) {
        draw_jobs(worker->pool, worker->instructions);
        finish_window(worker->pool);
    }
    return NULL;
}

void job_pool_draw(struct job_pool *pool, struct tess_vc4 *vc4, struct job *const *job,
                   uint32_t count)
{
    pool->vc4 = vc4;
    pool->job = job;
    pool->count = count;
    atomic_store(&pool->next, 0);
    pthread_mutex_lock(&pool->mutex);
    pool->busy = pool->started;
    pool->window++;
    pthread_cond_broadcast(&pool->start);
    pthread_mutex_unlock(&pool->mutex);

    draw_jobs(pool, pool->worker[0].instructions);

    pthread_mutex_lock(&pool->mutex);
    while (pool->busy > 0)
        pthread_cond_wait(&pool->done, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
}

static bool add_worker(struct job_pool *pool, uint32_t number)
{
    struct worker *worker = &pool->worker[number];
    worker->pool = pool;
    worker->instructions = aligned_alloc(64, (sizeof *worker->instructions + 63) / 64 * 64);
    if (!worker->instructions)
        return false;
    memset(worker->instructions, 0, sizeof *worker->instructions);
    pool->workers++;
    if (number == 0)
        return true;
    if (pthread_create(&worker->thread, NULL, work, worker) != 0)
        return false;
    pool->started++;
    return true;
}

struct job_pool *job_pool_create(uint32_t threads)
{
    struct job_pool *pool = calloc(1, sizeof *pool + threads * sizeof pool->worker[0]);
    if (!pool)
        return NULL;
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->start, NULL);
    pthread_cond_init(&pool->done, NULL);
    for (uint32_t i = 0; i < threads; i++)
        if (!add_worker(pool, i)) {
            job_pool_free(pool);
            return NULL;
        }
    return pool;
}

void job_pool_free(struct job_pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->mutex);
    pool->quit = true;
    pthread_cond_broadcast(&pool->start);
    pthread_mutex_unlock(&pool->mutex);
    for (uint32_t i = 1; i <= pool->started; i++)
        pthread_join(pool->worker[i].thread, NULL);
    for (uint32_t i = 0; i < pool->workers; i++)
        free(pool->worker[i].instructions);
    pthread_cond_destroy(&pool->start);
    pthread_cond_destroy(&pool->done);
    pthread_mutex_destroy(&pool->mutex);
    free(pool);
}
