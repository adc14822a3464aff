/* SPDX-License-Identifier: MIT */
/* job_pool_none.c - job_pool.h for builds without threads: no pool can be created, so the caller
 * executes all tasks itself. */
#include "vc4/run/job_pool.h"

#include <assert.h>
#include <stddef.h>

struct job_pool *job_pool_create(uint32_t threads)
{
    (void)threads;
    return NULL;
}

bool job_pool_is_there(const struct job_pool *pool)
{
    (void)pool;
    return false;
}

void job_pool_free(struct job_pool *pool)
{
    (void)pool;
}

void job_pool_run(struct job_pool *pool, job_pool_task *task, void *user, uint32_t count,
                  bool brief)
{
    (void)pool, (void)task, (void)user, (void)count, (void)brief;
    assert(!"there is no pool");
}
