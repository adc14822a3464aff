/* SPDX-License-Identifier: MIT */
/* lock.h - the locks of the shims. The program's own threads take them, within calls that it may
 * make from handlers of signals, in threads that are cancelled, and in children of fork(). So
 *
 * - who has one has signals blocked and cannot be cancelled: no handler of that thread finds the
 *   lock taken by itself;
 * - who waits for one waits as the program's thread would: with its signals, so that what ends
 *   programs ends this one;
 * - who forks has none of them: the C library's fork() waits for locks of its own, and the owner of
 *   one may have been interrupted by a handler that wants one of these. Others wait at a gate
 *   meanwhile, so that the child finds all that the locks guard at rest. If a fork takes long, one
 *   thread after another is let through the gate: it may be the one that the fork waits for. */
#ifndef SHIM_COMMON_LOCK_H
#define SHIM_COMMON_LOCK_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

struct lock {
    atomic_uint state; /* free, taken, or taken and awaited; and the generation of the process */
};

/* How the thread was before it took a lock. */
struct lock_before {
    sigset_t signals;
    int cancel;
    bool kept; /* it had another lock already, so that nothing was to be done */
};

/* Whether the caller is the shim, or code that runs in the midst of it: a thread of the shim's own,
 * or one that has a lock. The latter may be a handler of a signal, too, that has interrupted the
 * model. */
bool lock_is_inside(void);

enum { LOCK_STACKS = 256 };

/* What runs on this stack is inside, from its first instruction to its last. All have one size, and stay. */
void lock_know_stack(const void *low, size_t size);

/* Whether the thread is one of the shim's own; makes it one. */
bool lock_is_own_thread(void);
void lock_mark_thread(void);

/* Waits until the lock is free, and takes it. It is not one that this thread has. */
void lock_take(struct lock *lock, struct lock_before *before);

/* Makes the thread what it was before it took the lock. Locks are given back in opposite order. */
void lock_give(struct lock *lock, const struct lock_before *before);

/* The same in a handler of faults, which has signals blocked already: they stay so. */
void lock_take_blocked(struct lock *lock);
void lock_give_blocked(struct lock *lock);

/* Around a fork: begins it, when no other thread forks, and lets nobody in any more; waits until no
 * other thread is inside, with the device's lock, which is then given back; opens the gate, and
 * makes the thread what it was before, in the parent and in the child. The thread gets no signals
 * meanwhile. */
void lock_begin_fork(void);
void lock_close_gate(void);
void lock_end_fork(void);

/* In a copy of the process, which has no other thread: all locks are free. False: a thread was
 * inside when the copy was made, and what the locks guard may be half changed. */
bool lock_renew(void);

#endif
