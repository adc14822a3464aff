/* SPDX-License-Identifier: MIT */
/* lock.c - tests of the shims' locks, with signal handlers, cancelled threads, and forks.
 *
 * Expected: the rules in src/shim/common/lock.h; pthread_setcancelstate(3), fork(2). */
#include "shim/common/lock.h"
#include "../../register.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct lock lock;
static atomic_int inside, most, handled, started;

static void pause_a_while(void)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    nanosleep(&pause, NULL);
}

static void handle(int number)
{
    (void)number;
    atomic_fetch_add(&handled, 1);
}

static void set_handler(int number)
{
    const struct sigaction action = {.sa_handler = handle};
    assert_int_equal(sigaction(number, &action, NULL), 0);
}

/* --- one at a time --- */

enum { THREADS = 4, ROUNDS = 20000 };

static unsigned long counter;

static void *count(void *unused)
{
    struct lock_before before;
    for (int i = 0; i < ROUNDS; i++) {
        lock_take(&lock, &before);
        const int now = atomic_fetch_add(&inside, 1) + 1;
        if (now > atomic_load(&most))
            atomic_store(&most, now);
        counter++;
        atomic_fetch_sub(&inside, 1);
        lock_give(&lock, &before);
    }
    return unused;
}

TEST(test_excludes)
{
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, count, NULL), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    assert_int_equal(counter, (unsigned long)THREADS * ROUNDS);
    assert_int_equal(most, 1);
}

/* --- signals --- */

static bool is_blocked(int number)
{
    sigset_t now;
    pthread_sigmask(SIG_BLOCK, NULL, &now);
    return sigismember(&now, number) == 1;
}

TEST(test_holder_has_no_signals)
{
    struct lock_before before;
    struct lock other = {0};
    set_handler(SIGUSR1);
    handled = 0;
    lock_take(&lock, &before);
    raise(SIGUSR1);
    assert_int_equal(handled, 0);
    /* a signal that the thread's own instructions raise stays unblocked */
    assert_false(is_blocked(SIGSEGV));
    struct lock_before within;
    lock_take(&other, &within);
    lock_give(&other, &within);
    assert_true(is_blocked(SIGUSR1));
    lock_give(&lock, &before);
    assert_int_equal(handled, 1);
    assert_false(is_blocked(SIGUSR1));
}

static void *wait_for_lock(void *unused)
{
    struct lock_before before;
    atomic_store(&started, 1);
    lock_take(&lock, &before);
    lock_give(&lock, &before);
    return unused;
}

TEST(test_waiter_has_signals)
{
    pthread_t waiter;
    struct lock_before before;
    sigset_t none;
    sigemptyset(&none);
    set_handler(SIGUSR1);
    handled = started = 0;
    lock_take(&lock, &before);
    pthread_attr_t attributes;
    /* without this mask, the new thread would inherit the blocked signals of this thread */
    pthread_attr_init(&attributes);
    assert_int_equal(pthread_attr_setsigmask_np(&attributes, &none), 0);
    assert_int_equal(pthread_create(&waiter, &attributes, wait_for_lock, NULL), 0);
    while (!started)
        pause_a_while();
    while (!handled) { /* the thread waits for the lock, or will soon wait */
        pthread_kill(waiter, SIGUSR1);
        pause_a_while();
    }
    lock_give(&lock, &before);
    pthread_join(waiter, NULL);
    pthread_attr_destroy(&attributes);
}

/* --- cancelling --- */

static void *hold(void *arrived)
{
    struct lock_before before;
    lock_take(&lock, &before);
    atomic_store((atomic_int *)arrived, 1);
    for (int i = 0; i < 20; i++)
        pause_a_while(); /* a cancellation point */
    lock_give(&lock, &before);
    atomic_store((atomic_int *)arrived, 2);
    for (;;)
        pause_a_while();
    return NULL;
}

TEST(test_holder_is_not_cancelled)
{
    atomic_int arrived = 0;
    pthread_t thread;
    void *result;
    assert_int_equal(pthread_create(&thread, NULL, hold, &arrived), 0);
    while (!arrived)
        pause_a_while();
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert_ptr_equal(result, PTHREAD_CANCELED);
    struct lock_before before;
    lock_take(&lock, &before); /* the cancelled thread has released the lock */
    lock_give(&lock, &before);
}

/* --- forks --- */

/* Forks in the same steps as a shim. */
static pid_t fork_at_rest(void)
{
    struct lock_before before;
    lock_begin_fork();
    lock_take(&lock, &before);
    lock_close_gate();
    lock_give(&lock, &before);
    return fork();
}

/* Ends the child process. The exit status is 0 if lock_renew() returns `whole` and the lock can be
 * taken. */
static void end_child(bool whole)
{
    struct lock_before before;
    const bool good = lock_renew() == whole;
    lock_end_fork();
    lock_take(&lock, &before);
    lock_give(&lock, &before);
    _exit(!good || is_blocked(SIGUSR1));
}

static void expect_good(pid_t child)
{
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

TEST(test_child)
{
    pid_t child = fork_at_rest();
    if (child == 0)
        end_child(true);
    assert_true(is_blocked(SIGUSR1));
    lock_end_fork();
    assert_false(is_blocked(SIGUSR1));
    expect_good(child);
}

/* Another thread holds the lock when this thread starts to fork. The fork must wait for that
 * thread, so that the lock is free in the child. */
TEST(test_child_of_threads)
{
    pthread_t thread;
    atomic_int arrived = 0;
    assert_int_equal(pthread_create(&thread, NULL, hold, &arrived), 0);
    while (!arrived)
        pause_a_while();
    pid_t child = fork_at_rest(); /* waits until the other thread has released the lock */
    assert_int_equal(arrived, 2);
    if (child == 0)
        end_child(true);
    lock_end_fork();
    expect_good(child);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
}

/* --- the gate --- */

static atomic_int holders;

static void *hold_until_over(void *over)
{
    struct lock_before before;
    lock_take(&lock, &before);
    atomic_fetch_add(&holders, 1);
    while (!atomic_load((atomic_int *)over))
        pause_a_while();
    lock_give(&lock, &before);
    return NULL;
}

/* While a fork takes long, one thread at a time must pass the gate, because the fork may be waiting
 * for that thread. A child that is created after that must find that another thread held the
 * lock. */
TEST(test_long_fork)
{
    atomic_int over = 0;
    pthread_t thread[THREADS];
    struct lock_before before;
    lock_begin_fork();
    lock_take(&lock, &before);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, hold_until_over, &over), 0);
    lock_close_gate();
    lock_give(&lock, &before);
    while (!holders)
        pause_a_while();
    assert_int_equal(holders, 1);
    pid_t child = fork();
    if (child == 0)
        end_child(false);
    over = 1;
    while (holders < THREADS) /* the other threads pass, one after another */
        pause_a_while();
    lock_end_fork();
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    expect_good(child);
}

/* A signal handler runs in a waiting thread again and again during a long fork. The thread must
 * still pass the gate. */
TEST(test_long_fork_with_signals)
{
    pthread_t waiter;
    struct lock_before before;
    pthread_attr_t attributes;
    sigset_t none;
    sigemptyset(&none);
    set_handler(SIGUSR1);
    pthread_attr_init(&attributes);
    assert_int_equal(pthread_attr_setsigmask_np(&attributes, &none), 0);
    atomic_int over = 1;
    holders = 0;
    lock_begin_fork();
    lock_take(&lock, &before);
    lock_close_gate();
    lock_give(&lock, &before);
    assert_int_equal(pthread_create(&waiter, &attributes, hold_until_over, &over), 0);
    while (!holders) {
        pthread_kill(waiter, SIGUSR1);
        pause_a_while();
    }
    lock_end_fork();
    pthread_join(waiter, NULL);
    pthread_attr_destroy(&attributes);
}

/* --- inside --- */

TEST(test_inside)
{
    struct lock_before before;
    assert_false(lock_is_inside());
    lock_take(&lock, &before);
    assert_true(lock_is_inside());
    lock_give(&lock, &before);
    assert_false(lock_is_inside());
}

static void *mark(void *result)
{
    lock_mark_thread();
    *(bool *)result = lock_is_inside() && lock_is_own_thread();
    return NULL;
}

TEST(test_own_threads)
{
    pthread_t thread;
    bool marked = false;
    assert_int_equal(pthread_create(&thread, NULL, mark, &marked), 0);
    pthread_join(thread, NULL);
    assert_true(marked);
    assert_false(lock_is_own_thread());
}
