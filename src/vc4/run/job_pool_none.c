/* SPDX-License-Identifier: MIT */
/* job_pool_none.c - job_pool.h for builds without threads: the caller executes all tasks itself. */
#include "vc4/run/job_pool.h"

#include <assert.h>

void job_pool_run(struct job_pool *pool, job_pool_task *task, void *user, uint32_t count,
                  bool brief)
{
    (void)pool, (void)task, (void)user, (void)count, (void)brief;
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
