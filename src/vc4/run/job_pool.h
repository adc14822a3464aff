/* SPDX-License-Identifier: MIT */
/* job_pool.h - host threads that work in parallel on tile jobs (job.h) and on user programs
 * (run_ahead.h). */
#ifndef VC4_RUN_JOB_POOL_H
#define VC4_RUN_JOB_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/qpu/qpu.h"

struct job_pool;

/* Creates a pool of at least 2 threads, including the caller of job_pool_run(). Returns NULL if the
 * host is out of memory or threads. Release the pool with job_pool_free(). */
struct job_pool *job_pool_create(uint32_t threads);
/* Returns true if the pool's threads exist. Returns false if pool is NULL, or in a forked child of
 * the process that created the pool. */
bool job_pool_is_there(const struct job_pool *pool);

void job_pool_free(struct job_pool *pool); /* pool may be NULL */

/* Executes task `index`. instructions is a cache of decoded instructions that no other thread
 * uses. */
typedef void job_pool_task(void *user, uint32_t index, struct qpu_cache *instructions);

/* Executes tasks 0 to count - 1 in any order, and returns when all are done. brief is true if the
 * tasks are short and another call follows soon. */
void job_pool_run(struct job_pool *pool, job_pool_task *task, void *user, uint32_t count,
                  bool brief);

/* Host threads that work for a device. They may rest while the device does not run. */
struct job_threads {
    uint32_t count;        /* number of threads, including the caller's */
    struct job_pool *pool; /* NULL if .count is 1, or after job_threads_rest() */
};

/* job_threads_wake() starts the threads if they do not exist; if that fails, the caller's thread
 * does everything. job_threads_rest() ends the threads. */
void job_threads_wake(struct job_threads *threads);
void job_threads_rest(struct job_threads *threads);

#endif
