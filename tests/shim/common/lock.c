/* SPDX-License-Identifier: MIT */
/* lock.c - the locks of the shims, with handlers of signals, threads that are cancelled, and forks.
 *
 * Expected: src/shim/common/lock.h; pthread_setcancelstate(3), fork(2). */
#include "shim/common/lock.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

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

static void test_excludes(void **state)
{
    (void)state;
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

static void test_holder_has_no_signals(void **state)
{
    (void)state;
    struct lock_before before;
    struct lock other = {0};
    set_handler(SIGUSR1);
    handled = 0;
    lock_take(&lock, &before);
    raise(SIGUSR1);
    assert_int_equal(handled, 0);
    assert_false(is_blocked(SIGSEGV)); /* what the thread's own instructions raise */
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

static void test_waiter_has_signals(void **state)
{
    (void)state;
    pthread_t waiter;
    struct lock_before before;
    sigset_t none;
    sigemptyset(&none);
    set_handler(SIGUSR1);
    handled = started = 0;
    lock_take(&lock, &before);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes); /* else it had this thread's mask */
    assert_int_equal(pthread_attr_setsigmask_np(&attributes, &none), 0);
    assert_int_equal(pthread_create(&waiter, &attributes, wait_for_lock, NULL), 0);
    while (!started)
        pause_a_while();
    while (!handled) { /* it waits, or will soon */
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
        pause_a_while(); /* where threads can be cancelled */
    lock_give(&lock, &before);
    atomic_store((atomic_int *)arrived, 2);
    for (;;)
        pause_a_while();
    return NULL;
}

static void test_holder_is_not_cancelled(void **state)
{
    (void)state;
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
    lock_take(&lock, &before); /* it was given back */
    lock_give(&lock, &before);
}

/* --- forks --- */

static struct lock_before before_fork;

static void test_child(void **state)
{
    (void)state;
    int status;
    lock_take(&lock, &before_fork);
    pid_t child = fork();
    if (child == 0) {
        struct lock_before before;
        lock_give_in_child(&lock, &before_fork);
        lock_take(&lock, &before);
        lock_give(&lock, &before);
        _exit(is_blocked(SIGUSR1));
    }
    lock_give(&lock, &before_fork);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_excludes),
        cmocka_unit_test(test_holder_has_no_signals),
        cmocka_unit_test(test_waiter_has_signals),
        cmocka_unit_test(test_holder_is_not_cancelled),
        cmocka_unit_test(test_child),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
