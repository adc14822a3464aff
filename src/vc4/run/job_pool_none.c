/* SPDX-License-Identifier: MIT */
/* job_pool_none.c - job_pool.h for builds without threads: there is no pool, and the caller
 * executes all tasks itself. */
#include "vc4/run/job_pool.h"

#include <assert.h>

void job_pool_begin(struct job_pool *pool, job_pool_task *task, void *user)
{
    (void)pool, (void)task, (void)user;
    assert(!"there is no pool");
}

void job_pool_add(struct job_pool *pool, uint32_t count)
{
    (void)pool, (void)count;
    assert(!"there is no pool");
}

bool job_pool_take(struct job_pool *pool, uint32_t index)
{
    (void)pool, (void)index;
    assert(!"there is no pool");
    return false;
}

void job_pool_until(struct job_pool *pool, const atomic_bool *done, struct qpu_cache *instructions)
{
    (void)pool, (void)done, (void)instructions;
    assert(!"there is no pool");
}

void job_pool_stop(struct job_pool *pool)
{
    (void)pool;
    assert(!"there is no pool");
}

void job_pool_run(struct job_pool *pool, job_pool_task *task, void *user, uint32_t count,
                  struct qpu_cache *instructions)
{
    (void)pool, (void)task, (void)user, (void)count, (void)instructions;
    assert(!"there is no pool");
}

void job_threads_wake(struct job_threads *threads)
{
    threads->count = 1;
}

void job_threads_rest(struct job_threads *threads)
{
    (void)threads;
}
