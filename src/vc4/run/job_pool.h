/* SPDX-License-Identifier: MIT */
/* job_pool.h - host threads that work in parallel on tile jobs (job.h) and on user programs
 * (run_ahead.h). */
#ifndef VC4_RUN_JOB_POOL_H
#define VC4_RUN_JOB_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/qpu/qpu.h"

struct job_pool;

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
 * does everything. In a build without threads, job_threads_wake() sets .count to 1.
 * job_threads_rest() ends the threads. */
void job_threads_wake(struct job_threads *threads);
void job_threads_rest(struct job_threads *threads);

#endif
