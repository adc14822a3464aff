/* SPDX-License-Identifier: MIT */
/* job_pool.h - host threads that work side by side: on tile jobs (job.h), and on user programs (rounds.h). */
#ifndef VC4_JOB_POOL_H
#define VC4_JOB_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/qpu.h"

struct job_pool;

/* threads: how many work, the caller of job_pool_run() among them; 2 at least. NULL: no memory or
 * no threads to be had. Release with job_pool_free(). */
struct job_pool *job_pool_create(uint32_t threads);
/* False: there is none, or the process that made it has forked, and this is the child, which has no such threads. */
bool job_pool_is_there(const struct job_pool *pool);

void job_pool_free(struct job_pool *pool); /* NULL is allowed */

/* Task `index` of those that user stands for. instructions: decoded ones, of this thread alone. */
typedef void job_pool_task(void *user, uint32_t index, struct qpu_cache *instructions);

/* Does tasks 0 to count - 1, in any order; returns when all are done. brief: they are short, and more will follow soon. */
void job_pool_run(struct job_pool *pool, job_pool_task *task, void *user, uint32_t count,
                  bool brief);

#endif
