/* SPDX-License-Identifier: MIT */
/* job_pool.h - host threads that work in parallel on tile jobs (job.h) and on user programs
 * (run_ahead.h).
 *
 * A pool has one queue of tasks. The owner, which is one thread, adds tasks. Workers and the owner
 * take tasks in the order in which they were added. */
#ifndef VC4_RUN_JOB_POOL_H
#define VC4_RUN_JOB_POOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "vc4/qpu/qpu.h"

struct job_pool;

/* Executes task `index`. instructions is a cache of decoded instructions that no other thread
 * uses. */
typedef void job_pool_task(void *user, uint32_t index, struct qpu_cache *instructions);

/* Begins a new queue, whose tasks call task() with indices from 0 up. All tasks of the queue before
 * it must have been taken. */
void job_pool_begin(struct job_pool *pool, job_pool_task *task, void *user);

/* Adds `count` tasks to the queue. */
void job_pool_add(struct job_pool *pool, uint32_t count);

/* Takes the task with this index from the queue, so that the caller does the work itself. Returns
 * false if the task is not the oldest one in the queue: a thread has taken it, or it was not
 * added. */
bool job_pool_take(struct job_pool *pool, uint32_t index);

/* Executes tasks of the queue until *done is true, and sleeps while the queue is empty. A task sets
 * *done. instructions is the owner's cache. */
void job_pool_until(struct job_pool *pool, const atomic_bool *done, struct qpu_cache *instructions);

/* Removes all tasks from the queue, and waits for the tasks that workers execute. */
void job_pool_stop(struct job_pool *pool);

/* Executes tasks 0 to count - 1 in any order, and returns when all are done. */
void job_pool_run(struct job_pool *pool, job_pool_task *task, void *user, uint32_t count,
                  struct qpu_cache *instructions);

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
