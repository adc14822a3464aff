/* SPDX-License-Identifier: MIT */
/* pool.h - host threads that work in parallel: on tile jobs (vc4/draw/job.h), on user programs
 * (vc4/run/run_ahead.h), and on chunks of vertices and pixels (waves.h).
 *
 * A pool has one queue of tasks. The owner, which is one thread, adds tasks. Workers and the owner
 * take tasks in the order in which they were added. */
#ifndef EXEC_POOL_H
#define EXEC_POOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/machine.h>

struct pool;

/* Executes task `index`. scratch is memory of the executing thread, which no other thread uses and
 * which keeps its contents from task to task. */
typedef void pool_task(void *user, uint32_t index, void *scratch);

/* Begins a new queue, whose tasks call task() with indices from 0 up. All tasks of the queue before
 * it must have been taken. */
void pool_begin(struct pool *pool, pool_task *task, void *user);

/* Adds `count` tasks to the queue. */
void pool_add(struct pool *pool, uint32_t count);

/* Takes the task with this index from the queue, so that the caller does the work itself. Returns
 * false if the task is not the oldest one in the queue: a thread has taken it, or it was not
 * added. */
bool pool_take(struct pool *pool, uint32_t index);

/* Executes tasks of the queue until *done is true, and sleeps while the queue is empty. A task sets
 * *done. scratch is the owner's scratch memory. */
void pool_until(struct pool *pool, const atomic_bool *done, void *scratch);

/* Removes all tasks from the queue, and waits for the tasks that workers execute. */
void pool_stop(struct pool *pool);

/* Executes tasks 0 to count - 1 in any order, and returns when all are done. scratch is the owner's
 * scratch memory. */
void pool_run(struct pool *pool, pool_task *task, void *user, uint32_t count, void *scratch);

/* Host threads that work for a machine. They may rest while the machine does not run. */
struct pool_threads {
    uint32_t count;    /* number of threads, including the caller's */
    size_t scratch;    /* size of each worker's scratch memory in bytes */
    struct pool *pool; /* NULL if .count is 1, or after pool_threads_rest() */
};

/* Returns the number of threads for an option: `option`, or the number of this computer's
 * processors if it is 0. The number is at most POOL_THREADS_MAX. */
enum { POOL_THREADS_MAX = TESS_MAX_THREADS };
uint32_t pool_thread_count(unsigned option);

/* pool_threads_wake() starts the threads, with zeroed scratch memory, if they do not exist; if that
 * fails, the caller's thread does everything. In a build without threads, pool_threads_wake() sets
 * .count to 1. pool_threads_rest() ends the threads. */
void pool_threads_wake(struct pool_threads *threads);
void pool_threads_rest(struct pool_threads *threads);

#endif
