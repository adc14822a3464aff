/* SPDX-License-Identifier: MIT */
/* pool.c - see pool.h.
 *
 * Tasks have numbers, which count up from the pool's creation. Three counters describe the queue:
 * .added, .taken and .finished. A thread takes a task by increasing .taken, without a lock. A
 * thread that finds no task polls for a while and then sleeps.
 *
 * pool_create() waits until all workers run. Otherwise the process might fork while a thread is
 * starting. A starting thread may hold locks of an allocator or a sanitizer, and in the child of
 * fork() those locks would never be released. */
#define _DEFAULT_SOURCE /* declares syscall() */
#include "exec/pool.h"

#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    LONGEST_POLL = 50000, /* nanoseconds for which a thread polls before it sleeps */
    LINE = 64,            /* size of the host's cache lines: counters that different threads write
                             are in different lines */
};

/* Returns the time in nanoseconds. The functions of the C library are not used here and in
 * keep_polling(), because a shim may interpose them and run a device's pending work in them. */
static uint64_t time_now(void)
{
    struct timespec now = {0};
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Yields the processor. Returns false if the thread has polled for long enough. On a busy machine,
 * other processes run at a yield, so the first yield may already take longer. */
static bool keep_polling(uint64_t begun)
{
    syscall(SYS_sched_yield);
    return time_now() - begun < LONGEST_POLL;
}

struct worker {
    struct pool *pool;
    pthread_t thread;
    void *scratch;
};

struct pool {
    pthread_mutex_t mutex;
    pthread_cond_t work; /* signalled when there are tasks */
    pthread_cond_t done; /* signalled when a task is finished while the owner sleeps */
    bool quit;
    pid_t process; /* process that owns the threads; a forked child does not own them */

    /* The current queue. */
    pool_task *task;
    void *user;
    uint64_t first; /* number of the queue's task 0 */

    _Alignas(LINE) atomic_uint_fast64_t added;
    atomic_uint_fast32_t sleeping; /* number of workers that sleep or are about to sleep */
    atomic_bool waiting;           /* true while the owner sleeps or is about to sleep */
    _Alignas(LINE) atomic_uint_fast64_t taken;
    _Alignas(LINE) atomic_uint_fast64_t finished;

    _Alignas(LINE) uint32_t workers;
    uint32_t started;
    struct worker worker[];
};

/* Takes the oldest task of the queue. Returns false if the queue is empty. */
static bool take(struct pool *pool, uint64_t *number)
{
    uint_fast64_t oldest = atomic_load(&pool->taken);
    do {
        if (oldest >= atomic_load(&pool->added))
            return false;
    } while (!atomic_compare_exchange_weak(&pool->taken, &oldest, oldest + 1));
    *number = oldest;
    return true;
}

/* Counts finished tasks, and wakes the owner. */
static void finish(struct pool *pool, uint64_t tasks)
{
    atomic_fetch_add(&pool->finished, tasks);
    if (!atomic_load(&pool->waiting))
        return;
    pthread_mutex_lock(&pool->mutex);
    pthread_cond_signal(&pool->done);
    pthread_mutex_unlock(&pool->mutex);
}

/* Executes a task of the queue. Returns false if the queue is empty. */
static bool do_task(struct pool *pool, void *scratch)
{
    uint64_t number;
    if (!take(pool, &number))
        return false;
    pool->task(pool->user, (uint32_t)(number - pool->first), scratch);
    finish(pool, 1);
    return true;
}

static bool is_empty(const struct pool *pool)
{
    return atomic_load(&pool->taken) >= atomic_load(&pool->added);
}

/* Waits until the queue has a task. Returns false when the pool ends. */
static bool wait_for_task(struct pool *pool)
{
    uint64_t begun = time_now();
    while (is_empty(pool) && keep_polling(begun))
        continue;
    if (!is_empty(pool))
        return true;
    pthread_mutex_lock(&pool->mutex);
    atomic_fetch_add(&pool->sleeping, 1);
    while (is_empty(pool) && !pool->quit)
        pthread_cond_wait(&pool->work, &pool->mutex);
    atomic_fetch_sub(&pool->sleeping, 1);
    bool quit = pool->quit;
    pthread_mutex_unlock(&pool->mutex);
    return !quit;
}

static void *work(void *user)
{
    struct worker *worker = user;
    fesetenv(FE_DFL_ENV); /* setup arithmetic requires round-to-nearest */
    finish(worker->pool, 1);
    while (wait_for_task(worker->pool))
        while (do_task(worker->pool, worker->scratch))
            continue;
    return NULL;
}

/* Waits until the number of finished tasks is no longer `seen`. */
static void wait_for_finish(struct pool *pool, uint64_t seen)
{
    uint64_t begun = time_now();
    while (atomic_load(&pool->finished) == seen && keep_polling(begun))
        continue;
    if (atomic_load(&pool->finished) != seen)
        return;
    pthread_mutex_lock(&pool->mutex);
    atomic_store(&pool->waiting, true);
    while (atomic_load(&pool->finished) == seen)
        pthread_cond_wait(&pool->done, &pool->mutex);
    atomic_store(&pool->waiting, false);
    pthread_mutex_unlock(&pool->mutex);
}

/* Waits until all tasks that were taken are finished. */
static void wait_for_all(struct pool *pool)
{
    uint64_t finished;
    while ((finished = atomic_load(&pool->finished)) < atomic_load(&pool->taken))
        wait_for_finish(pool, finished);
}

void pool_begin(struct pool *pool, pool_task *task, void *user)
{
    wait_for_all(pool);
    pool->task = task;
    pool->user = user;
    pool->first = atomic_load(&pool->added);
}

void pool_add(struct pool *pool, uint32_t count)
{
    atomic_fetch_add(&pool->added, count);
    if (!atomic_load(&pool->sleeping))
        return;
    pthread_mutex_lock(&pool->mutex);
    for (uint32_t i = 0; i < count && i < pool->started; i++)
        pthread_cond_signal(&pool->work);
    pthread_mutex_unlock(&pool->mutex);
}

bool pool_take(struct pool *pool, uint32_t index)
{
    uint_fast64_t number = pool->first + index;
    if (number >= atomic_load(&pool->added) ||
        !atomic_compare_exchange_strong(&pool->taken, &number, number + 1))
        return false;
    finish(pool, 1);
    return true;
}

void pool_until(struct pool *pool, const atomic_bool *done, void *scratch)
{
    for (;;) {
        uint64_t finished = atomic_load(&pool->finished);
        if (atomic_load(done))
            return;
        if (!do_task(pool, scratch))
            wait_for_finish(pool, finished);
    }
}

void pool_stop(struct pool *pool)
{
    uint64_t number;
    while (take(pool, &number))
        finish(pool, 1);
    wait_for_all(pool);
}

void pool_run(struct pool *pool, pool_task *task, void *user, uint32_t count, void *scratch)
{
    if (count == 0)
        return;
    pool_begin(pool, task, user);
    pool_add(pool, count);
    while (do_task(pool, scratch))
        continue;
    wait_for_all(pool);
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

/* Returns zeroed memory that begins at the start of a cache line, or NULL. */
static void *new_lines(size_t bytes)
{
    size_t whole = (bytes + LINE - 1) / LINE * LINE;
    void *lines = aligned_alloc(LINE, whole);
    return lines ? memset(lines, 0, whole) : NULL;
}

/* Starts another worker. The start counts as a task, which the worker finishes. */
static bool add_worker(struct pool *pool, size_t scratch)
{
    struct worker *worker = &pool->worker[pool->workers];
    worker->pool = pool;
    worker->scratch = new_lines(scratch);
    if (!worker->scratch)
        return false;
    pool->workers++;
    atomic_fetch_add(&pool->added, 1);
    atomic_fetch_add(&pool->taken, 1);
    if (start_thread(worker) != 0) {
        finish(pool, 1);
        return false;
    }
    pool->started++;
    return true;
}

/* Returns true if the pool's threads exist. Returns false if pool is NULL, or in a forked child of
 * the process that created the pool. */
static bool pool_is_there(const struct pool *pool)
{
    return pool && pool->process == getpid();
}

/* In a forked child, nothing is freed: threads of the parent may have been using the memory at the
 * time of the fork. */
static void free_pool(struct pool *pool)
{
    if (!pool_is_there(pool))
        return;
    pthread_mutex_lock(&pool->mutex);
    pool->quit = true;
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->mutex);
    for (uint32_t i = 0; i < pool->started; i++)
        pthread_join(pool->worker[i].thread, NULL);
    for (uint32_t i = 0; i < pool->workers; i++)
        free(pool->worker[i].scratch);
    pthread_cond_destroy(&pool->work);
    pthread_cond_destroy(&pool->done);
    pthread_mutex_destroy(&pool->mutex);
    free(pool);
}

/* Creates a pool of at least 2 threads, including the owner's. Returns NULL if the host is out of
 * memory or threads. */
static struct pool *create_pool(uint32_t threads, size_t scratch)
{
    struct pool *pool = new_lines(sizeof *pool + threads * sizeof pool->worker[0]);
    if (!pool)
        return NULL;
    pool->process = getpid();
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->work, NULL);
    pthread_cond_init(&pool->done, NULL);
    for (uint32_t i = 1; i < threads; i++)
        if (!add_worker(pool, scratch)) {
            free_pool(pool);
            return NULL;
        }
    wait_for_all(pool);
    return pool;
}

uint32_t pool_thread_count(unsigned option)
{
    long host = option ? (long)option : sysconf(_SC_NPROCESSORS_ONLN);
    if (host < 1)
        return 1;
    return host < POOL_THREADS_MAX ? (uint32_t)host : POOL_THREADS_MAX;
}

void pool_threads_wake(struct pool_threads *threads)
{
    if (threads->count > 1 && !pool_is_there(threads->pool))
        threads->pool = create_pool(threads->count, threads->scratch);
}

void pool_threads_rest(struct pool_threads *threads)
{
    free_pool(threads->pool);
    threads->pool = NULL;
}
