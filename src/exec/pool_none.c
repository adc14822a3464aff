/* SPDX-License-Identifier: MIT */
/* pool_none.c - pool.h for builds without threads: there is no pool, and the caller
 * executes all tasks itself. */
#include "exec/pool.h"

#include <assert.h>

void pool_begin(struct pool *pool, pool_task *task, void *user)
{
    (void)pool, (void)task, (void)user;
    assert(!"there is no pool");
}

void pool_add(struct pool *pool, uint32_t count)
{
    (void)pool, (void)count;
    assert(!"there is no pool");
}

bool pool_take(struct pool *pool, uint32_t index)
{
    (void)pool, (void)index;
    assert(!"there is no pool");
    return false;
}

void pool_until(struct pool *pool, const atomic_bool *done, void *scratch)
{
    (void)pool, (void)done, (void)scratch;
    assert(!"there is no pool");
}

void pool_stop(struct pool *pool)
{
    (void)pool;
    assert(!"there is no pool");
}

void pool_run(struct pool *pool, pool_task *task, void *user, uint32_t count, void *scratch)
{
    (void)pool, (void)task, (void)user, (void)count, (void)scratch;
    assert(!"there is no pool");
}

uint32_t pool_thread_count(unsigned option)
{
    (void)option;
    return 1;
}

void pool_threads_wake(struct pool_threads *threads)
{
    threads->count = 1;
}

void pool_threads_rest(struct pool_threads *threads)
{
    (void)threads;
}
