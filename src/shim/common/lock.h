/* SPDX-License-Identifier: MIT */
/* lock.h - the locks of the shims. The program's own threads take them, within calls that it may make from handlers of signals,
 * in threads that are cancelled, and in children of fork(). So
 *
 * - who has one has signals blocked and cannot be cancelled: no handler of that thread finds the lock taken by itself;
 * - who waits for one waits as the program's thread would: with its signals, so that what ends programs ends this one;
 * - who forks takes all of them before, in this order: the device's; then those of tables; the heap's (heap.h) last. The C
 *   library's fork() then waits for those of its own, one of which a thread may have whose handler waits for one of these. So who
 *   forks does nothing with them, and lends them to a thread that has waited long. */
#ifndef SHIM_COMMON_LOCK_H
#define SHIM_COMMON_LOCK_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

struct lock {
    atomic_uint state; /* free, taken, or taken and awaited */
    atomic_uint loan;  /* while its owner forks: none, offered, or lent */
};

/* How the thread was before it took a lock. */
struct lock_before {
    sigset_t signals;
    int cancel;
    bool kept;     /* it had another lock already, so that nothing was to be done */
    bool borrowed; /* the lock, of a thread that forks */
};

/* Whether the caller is the shim, or code that runs in the midst of it: a thread of the shim's own, or one that has a lock. The
 * latter may be a handler of a signal, too, that has interrupted the model. */
bool lock_is_inside(void);

/* Whether the thread is one of the shim's own; makes it one. */
bool lock_is_own_thread(void);
void lock_mark_thread(void);

/* Waits until the lock is free, and takes it. It is not one that this thread has. */
void lock_take(struct lock *lock, struct lock_before *before);

/* Makes the thread what it was before it took the lock. Locks are given back in the opposite order. */
void lock_give(struct lock *lock, const struct lock_before *before);

/* The same in a handler of faults, which has signals blocked already: they stay so. */
void lock_take_blocked(struct lock *lock);
void lock_give_blocked(struct lock *lock);

/* Around a fork, of a lock that the thread has: others may have it for a while, and it is the thread's own again. */
void lock_lend(struct lock *lock);
void lock_call_in(struct lock *lock);

/* Frees a lock that was taken and lent before a fork, in the child. The thread becomes what it was before. False: it was lent at
 * the moment of the fork, and what it guards may be half changed. */
bool lock_give_in_child(struct lock *lock, const struct lock_before *before);

/* The same for a lock that guards little: takes and lends; in the parent; in the child. */
void lock_before_fork(struct lock *lock, struct lock_before *before);
void lock_in_parent(struct lock *lock, const struct lock_before *before);

/* In a copy of the process that has no other thread: whoever had locks is not there. */
void lock_renew(struct lock *lock);

#endif
