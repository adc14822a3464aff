/* SPDX-License-Identifier: MIT */
/* device_lock.c - see device_lock.h.
 *
 * In:  calls of the shim.
 * Out: signal masks; calls of the shim's hooks for forks.
 *
 * Choices: one lock protects the whole device, because the kernel also runs one job at a time. */
#include "device_lock.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include "heap.h"
#include "lock.h"
#include "next.h"
#include "signal_mask.h"
#include "user.h"

static struct lock lock;

/* Number of nested device_lock() calls of this thread. */
static __thread unsigned held __attribute__((tls_model("initial-exec")));
static __thread struct lock_before before_lock __attribute__((tls_model("initial-exec")));
static __thread const sigset_t *program_signals __attribute__((tls_model("initial-exec")));

/* --- the lock --- */

/* In a handler of faults, signals are already blocked, so the lock need not block them. */
void device_lock(void)
{
    struct lock_before before = {0};
    /* `held` stays 0 while this thread waits. So a signal handler that runs meanwhile takes the
     * lock itself. */
    if (held == 0) {
        if (program_signals)
            lock_take_blocked(&lock);
        else
            lock_take(&lock, &before);
        before_lock = before;
    }
    held++;
}

void device_unlock(void)
{
    if (--held > 0)
        return;
    if (program_signals)
        lock_give_blocked(&lock);
    else
        lock_give(&lock, &before_lock);
}

void device_give_way(uint32_t nanoseconds)
{
    const struct timespec span = {.tv_nsec = (long)nanoseconds};
    int cancel;
    device_unlock();
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    NEXT(nanosleep)(&span, NULL);
    pthread_setcancelstate(cancel, NULL);
    device_lock();
}

void device_in_copy(void)
{
    heap_renew();
    lock_renew();
    held = 0;
}

/* --- signals --- */

const sigset_t *device_set_signals(const sigset_t *blocked)
{
    const sigset_t *before = program_signals;
    program_signals = blocked;
    return before;
}

void device_let_signals(int also, sigset_t *before)
{
    static const int ending[] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGALRM, SIGVTALRM, SIGPROF};
    const sigset_t *blocked = program_signals ? program_signals : &before_lock.signals;
    sigset_t set;
    sigemptyset(&set);
    if (also)
        sigaddset(&set, also);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        if (sigismember(blocked, ending[i]) == 0)
            sigaddset(&set, ending[i]);
    change_signal_mask(SIG_UNBLOCK, &set, before);
}

/* --- forks --- */

static struct {
    void (*before)(void);
    void (*in_child)(bool whole);
} hooks;

static pid_t owner; /* process to which this memory belongs, or 0 before device_watch_forks() */

/* The forking thread waits for the device, so that the child has a copy of an idle device. */
static void before_fork(void)
{
    lock_begin_fork();
    device_lock();
    if (hooks.before)
        hooks.before();
    lock_close_gate();
    device_unlock();
}

static void in_child(void)
{
    const bool whole = lock_renew();
    if (!whole)
        heap_renew();
    owner = getpid();
    user_in_child();
    hooks.in_child(whole);
    lock_end_fork();
}

void device_watch_forks(void (*before)(void), void (*in_child_hook)(bool whole))
{
    hooks.before = before;
    hooks.in_child = in_child_hook;
    owner = getpid();
    pthread_atfork(before_fork, lock_end_fork, in_child);
}

bool device_is_own_process(void)
{
    return owner == 0 || getpid() == owner;
}
