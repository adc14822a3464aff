/* SPDX-License-Identifier: MIT */
/* job_pool.c - see job_pool.h.
 *
 * One call of job_pool_run() is a window. Workers wait between windows. In a window, each worker
 * executes the next task until no task is left. If there are more workers than tasks, the rest of
 * the workers stay asleep. In brief windows, waiting threads poll for a while before they sleep.
 *
 * The start of the workers is window 0: job_pool_create() waits until all workers run. Otherwise
 * the process might fork while a thread is starting. A starting thread may hold locks of an
 * allocator or a sanitizer, and in the child of fork() those locks would never be released. */
#define _DEFAULT_SOURCE /* declares syscall() */
#include "vc4/run/job_pool.h"

#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Yields the processor with a system call. sched_yield() is not used, because a shim may interpose
 * the function and run a device's pending work in it. */
static void yield(void)
{
    syscall(SYS_sched_yield);
}

/* Number of polls in a brief window before a thread sleeps. Each poll yields the processor. 200
 * polls take about 50 microseconds. */
enum { LOOKS = 200 };

struct worker {
    struct job_pool *pool;
    uint32_t number;
    pthread_t thread;
    pthread_cond_t start;
    struct qpu_cache *instructions;
};

struct job_pool {
    pthread_mutex_t mutex;
    pthread_cond_t done;
    /* window and busy change only while the mutex is held, except in job_pool_create(). */
    atomic_uint_fast64_t window; /* number of windows started */
    atomic_uint_fast32_t busy;   /* number of workers that have not finished the window */
    bool quit;
    pid_t process; /* process that owns the threads; a forked child does not own them */

    /* The current window. */
    job_pool_task *task;
    void *user;
    uint32_t count;
    atomic_uint_fast32_t looks; /* number of polls before a thread sleeps, or 0 */
    atomic_uint_fast32_t next;  /* index of the next task */

    uint32_t workers, started;
    struct worker worker[]; /* the first entry is the caller's thread */
};

static void do_tasks(struct job_pool *pool, struct qpu_cache *instructions)
{
    for (;;) {
        uint_fast32_t next = atomic_fetch_add(&pool->next, 1);
        if (next >= pool->count)
            return;
        pool->task(pool->user, (uint32_t)next, instructions);
    }
}

/* Waits for a window that is later than window *seen and has enough tasks for this worker. Sets
 * *seen to the window's number. Returns false when the pool ends. */
static bool wait_for_window(struct worker *worker, uint64_t *seen)
{
    struct job_pool *pool = worker->pool;
    for (unsigned i = 0; i < pool->looks && atomic_load(&pool->window) == *seen; i++)
        yield();
    pthread_mutex_lock(&pool->mutex);
    while ((pool->window == *seen || worker->number >= pool->count) && !pool->quit)
        pthread_cond_wait(&worker->start, &pool->mutex);
    *seen = pool->window;
    bool quit = pool->quit;
    pthread_mutex_unlock(&pool->mutex);
    return !quit;
}

static void finish_window(struct job_pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    if (atomic_fetch_sub(&pool->busy, 1) == 1)
        pthread_cond_signal(&pool->done);
    pthread_mutex_unlock(&pool->mutex);
}

static void *work(void *user)
{
    struct worker *worker = user;
    uint64_t seen = 0;
    fesetenv(FE_DFL_ENV); /* setup arithmetic requires round-to-nearest */
    finish_window(worker->pool);
    while (wait_for_window(worker, &seen)) {
        do_tasks(worker->pool, worker->instructions);
        finish_window(worker->pool);
    }
    return NULL;
}

static void wait_for_workers(struct job_pool *pool)
{
    for (unsigned i = 0; i < pool->looks && atomic_load(&pool->busy) > 0; i++)
        yield();
    pthread_mutex_lock(&pool->mutex);
    while (pool->busy > 0)
        pthread_cond_wait(&pool->done, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
}

void job_pool_run(struct job_pool *pool, job_pool_task *task, void *user, uint32_t count,
                  bool brief)
{
    if (count == 0)
        return;
    pthread_mutex_lock(&pool->mutex);
    pool->task = task;
    pool->user = user;
    pool->count = count;
    pool->looks = brief ? LOOKS : 0;
    atomic_store(&pool->next, 0);
    pool->busy = pool->started < count - 1 ? pool->started : count - 1;
    pool->window++;
    for (uint32_t i = 1; i <= pool->busy; i++)
        pthread_cond_signal(&pool->worker[i].start);
    pthread_mutex_unlock(&pool->mutex);

    do_tasks(pool, pool->worker[0].instructions);
    wait_for_workers(pool);
}

/* Starts a worker thread with all signals blocked, so that other threads handle the process's
 * signals. */
static int start_thread(struct worker *worker)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int result = pthread_create(&worker->thread, NULL, work, worker);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return result;
}

static bool add_worker(struct job_pool *pool, uint32_t number)
{
    struct worker *worker = &pool->worker[number];
    worker->pool = pool;
    worker->number = number;
    worker->instructions = aligned_alloc(64, (sizeof *worker->instructions + 63) / 64 * 64);
    if (!worker->instructions)
        return false;
    memset(worker->instructions, 0, sizeof *worker->instructions);
    pthread_cond_init(&worker->start, NULL);
    pool->workers++;
    if (number == 0)
        return true;
    atomic_fetch_add(&pool->busy, 1);
    if (start_thread(worker) != 0) {
        atomic_fetch_sub(&pool->busy, 1);
        return false;
    }
    pool->started++;
    return true;
}

/* Returns true if the pool's threads exist. Returns false if pool is NULL, or in a forked child of
 * the process that created the pool. */
static bool pool_is_there(const struct job_pool *pool)
{
    return pool && pool->process == getpid();
}

/* In a forked child, nothing is freed: threads of the parent may have been using the memory at the
 * time of the fork. */
static void free_pool(struct job_pool *pool)
{
    if (!pool_is_there(pool))
        return;
    pthread_mutex_lock(&pool->mutex);
    pool->quit = true;
    for (uint32_t i = 1; i <= pool->started; i++)
        pthread_cond_signal(&pool->worker[i].start);
    pthread_mutex_unlock(&pool->mutex);
    for (uint32_t i = 1; i <= pool->started; i++)
        pthread_join(pool->worker[i].thread, NULL);
    for (uint32_t i = 0; i < pool->workers; i++) {
        pthread_cond_destroy(&pool->worker[i].start);
        free(pool->worker[i].instructions);
    }
    pthread_cond_destroy(&pool->done);
    pthread_mutex_destroy(&pool->mutex);
    free(pool);
}

/* Creates a pool of at least 2 threads, including the caller of job_pool_run(). Returns NULL if the
 * host is out of memory or threads. */
static struct job_pool *create_pool(uint32_t threads)
{
    struct job_pool *pool = calloc(1, sizeof *pool + threads * sizeof pool->worker[0]);
    if (!pool)
        return NULL;
    pool->process = getpid();
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->done, NULL);
    for (uint32_t i = 0; i < threads; i++)
        if (!add_worker(pool, i)) {
            free_pool(pool);
            return NULL;
        }
    wait_for_workers(pool);
    return pool;
}

void job_threads_wake(struct job_threads *threads)
{
    if (threads->count > 1 && !pool_is_there(threads->pool))
        threads->pool = create_pool(threads->count);
}

void job_threads_rest(struct job_threads *threads)
{
    free_pool(threads->pool);
    threads->pool = NULL;
}
