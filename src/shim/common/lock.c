/* SPDX-License-Identifier: MIT */
/* lock.c - see lock.h.
 *
 * Out: calls of futex(), which wait.
 *
 * Chosen: a word and a futex. A lock of the C library cannot be waited for with other signals than it is taken with, since a
 *         handler might run in between.
 * Source: the manual page futex(2); U. Drepper, "Futexes are tricky" (2011), mutex 2. */
#include "lock.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "blocked.h"

enum { FREE, TAKEN, AWAITED };
enum { NONE, OFFERED, LENT };

/* How long a thread waits for one that forks. */
static const struct timespec patience = {.tv_nsec = 100000000};

/* How many locks this thread has. */
static __thread unsigned held __attribute__((tls_model("initial-exec")));

/* Whether it is one of the shim's. */
static __thread bool own __attribute__((tls_model("initial-exec")));

bool lock_is_inside(void)
{
    return held > 0 || own;
}

bool lock_is_own_thread(void)
{
    return own;
}

void lock_mark_thread(void)
{
    own = true;
}

/* --- the word --- */

static bool take_free(struct lock *lock)
{
    unsigned free = FREE;
    return atomic_compare_exchange_strong_explicit(&lock->state, &free, TAKEN, memory_order_acquire,
                                                   memory_order_relaxed);
}

/* Takes it, or says that somebody waits. */
static bool take_or_await(struct lock *lock)
{
    return atomic_exchange_explicit(&lock->state, AWAITED, memory_order_acquire) == FREE;
}

static void wait_while(atomic_uint *word, unsigned value)
{
    const int error = errno;
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &patience, NULL, 0);
    errno = error;
}

static bool change(atomic_uint *word, unsigned from, unsigned to)
{
    return atomic_compare_exchange_strong(word, &from, to);
}

static void give(struct lock *lock)
{
    const int error = errno;
    if (atomic_exchange_explicit(&lock->state, FREE, memory_order_release) == AWAITED)
        syscall(SYS_futex, &lock->state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    errno = error;
}

/* --- the thread --- */

static void block(struct lock_before *before)
{
    const sigset_t blocked = blocked_signals();
    pthread_sigmask(SIG_BLOCK, &blocked, &before->signals);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before->cancel);
}

static void restore(const struct lock_before *before)
{
    pthread_setcancelstate(before->cancel, NULL);
    pthread_sigmask(SIG_SETMASK, &before->signals, NULL);
}

/* With the signals of the program, whose handler may also never come back. */
static void wait_as_before(struct lock *lock, const struct lock_before *before)
{
    struct lock_before same;
    if (before->kept) {
        wait_while(&lock->state, AWAITED);
        return;
    }
    restore(before);
    wait_while(&lock->state, AWAITED);
    block(&same);
}

/* Whether the lock can be borrowed, which is tried after the first wait only. */
static bool wait_or_borrow(struct lock *lock, const struct lock_before *before)
{
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    wait_as_before(lock, before);
    clock_gettime(CLOCK_MONOTONIC, &now);
    const int64_t waited = (now.tv_sec - start.tv_sec) * INT64_C(1000000000) + now.tv_nsec -
                           start.tv_nsec;
    return waited >= patience.tv_nsec && change(&lock->loan, OFFERED, LENT);
}

void lock_take(struct lock *lock, struct lock_before *before)
{
    before->kept = held > 0;
    if (!before->kept)
        block(before);
    before->borrowed = false;
    if (!take_free(lock))
        while (!before->borrowed && !take_or_await(lock))
            before->borrowed = wait_or_borrow(lock, before);
    held++;
}

static void give_back(struct lock *lock)
{
    const int error = errno;
    atomic_store(&lock->loan, OFFERED);
    syscall(SYS_futex, &lock->loan, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    errno = error;
}

void lock_give(struct lock *lock, const struct lock_before *before)
{
    held--;
    if (before->borrowed)
        give_back(lock);
    else
        give(lock);
    if (!before->kept)
        restore(before);
}

void lock_take_blocked(struct lock *lock)
{
    if (!take_free(lock))
        while (!take_or_await(lock))
            wait_while(&lock->state, AWAITED);
    held++;
}

void lock_give_blocked(struct lock *lock)
{
    held--;
    give(lock);
}

/* --- copies of the process --- */

void lock_lend(struct lock *lock)
{
    atomic_store(&lock->loan, OFFERED);
}

void lock_call_in(struct lock *lock)
{
    while (!change(&lock->loan, OFFERED, NONE))
        wait_while(&lock->loan, LENT);
}

bool lock_give_in_child(struct lock *lock, const struct lock_before *before)
{
    const bool whole = atomic_load(&lock->loan) != LENT;
    lock_renew(lock);
    held--;
    if (!before->kept)
        restore(before);
    return whole;
}

void lock_before_fork(struct lock *lock, struct lock_before *before)
{
    lock_take(lock, before);
    lock_lend(lock);
}

void lock_in_parent(struct lock *lock, const struct lock_before *before)
{
    lock_call_in(lock);
    lock_give(lock, before);
}

void lock_renew(struct lock *lock)
{
    atomic_store(&lock->loan, NONE);
    atomic_store(&lock->state, FREE);
}
