/* SPDX-License-Identifier: MIT */
/* Tests of the host threads' queue: each task runs once, in any order and on any thread, and the
 * owner can wait for a task, take one back, and stop the queue. */
#include "../register.h"

#include "exec/pool.h"

enum { TASKS = 1000 };

struct work {
    atomic_uint runs[TASKS];
    atomic_bool done[TASKS];
};

static void count(void *user, uint32_t index, void *scratch)
{
    struct work *work = user;
    (void)scratch;
    atomic_fetch_add(&work->runs[index], 1);
    atomic_store(&work->done[index], true);
}

/* Checks that the first `tasks` tasks have run once, and no other. */
static void assert_runs(const struct work *work, uint32_t tasks)
{
    for (uint32_t i = 0; i < TASKS; i++)
        assert_int_equal(atomic_load(&work->runs[i]), i < tasks);
}

TEST(each_task_runs_once)
{
    for (uint32_t threads = 2; threads <= 5; threads++) {
        struct pool_threads host = {.count = threads};
        pool_threads_wake(&host);
        for (uint32_t tasks = 0; tasks <= TASKS; tasks += 1 + tasks / 3) {
            struct work work = {0};
            pool_run(host.pool, count, &work, tasks, NULL);
            assert_runs(&work, tasks);
        }
        pool_threads_rest(&host);
    }
}

/* The owner adds tasks one by one, and waits for each task 16 tasks later. */
TEST(tasks_are_added_while_others_run)
{
    struct pool_threads host = {.count = 3};
    pool_threads_wake(&host);
    for (unsigned repeat = 0; repeat < 20; repeat++) {
        struct work work = {0};
        pool_begin(host.pool, count, &work);
        for (uint32_t i = 0; i < TASKS + 16; i++) {
            if (i < TASKS)
                pool_add(host.pool, 1);
            if (i >= 16)
                pool_until(host.pool, &work.done[i - 16], NULL);
        }
        assert_runs(&work, TASKS);
    }
    pool_threads_rest(&host);
}

/* Each task is run by a thread of the pool or taken by the owner. */
TEST(the_owner_takes_tasks)
{
    struct pool_threads host = {.count = 2};
    pool_threads_wake(&host);
    struct work work = {0};
    pool_begin(host.pool, count, &work);
    assert_false(pool_take(host.pool, 0));
    for (uint32_t i = 0; i < TASKS; i++) {
        pool_add(host.pool, 1);
        assert_false(pool_take(host.pool, i + 1));
        if (pool_take(host.pool, i))
            count(&work, i, NULL);
        else
            pool_until(host.pool, &work.done[i], NULL);
        assert_false(pool_take(host.pool, i));
    }
    assert_runs(&work, TASKS);
    pool_threads_rest(&host);
}

/* After a stop, tasks that were not begun do not run, and a new queue can begin. */
TEST(a_stopped_queue_runs_no_task)
{
    struct pool_threads host = {.count = 4};
    pool_threads_wake(&host);
    for (unsigned repeat = 0; repeat < 50; repeat++) {
        struct work work = {0}, after;
        pool_begin(host.pool, count, &work);
        pool_add(host.pool, TASKS);
        pool_stop(host.pool);
        after = work;
        struct work next = {0};
        pool_run(host.pool, count, &next, 3, NULL);
        assert_runs(&next, 3);
        for (uint32_t i = 0; i < TASKS; i++) {
            assert_int_equal(atomic_load(&work.runs[i]), atomic_load(&after.runs[i]));
            assert_in_range(atomic_load(&work.runs[i]), 0, 1);
        }
    }
    pool_threads_rest(&host);
}
