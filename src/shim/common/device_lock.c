/* SPDX-License-Identifier: MIT */
/* device_lock.c - see device_lock.h.
 *
 * In:  calls of the shim.
 * Out: signal masks.
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

/* --- the process --- */

static pid_t owner; /* process to which this memory belongs, or 0 if not set */

void device_set_process(void)
{
    owner = getpid();
}

bool device_is_own_process(void)
{
    return owner == 0 || getpid() == owner;
}
