/* SPDX-License-Identifier: MIT */
/* lock.h - the locks of the shims. The program's own threads take them: in signal handlers, in
 * threads that may be cancelled, and in children of fork(). So there are three rules.
 *
 * - A thread that holds a lock has signals blocked and cannot be cancelled. So a signal handler
 *   never needs a lock that its own thread holds.
 * - A thread that waits for a lock waits with the program's signal mask, so that a signal can still
 *   end the program.
 * - A thread that forks holds no lock. The C library's fork() waits for the C library's own locks,
 *   and the owner of such a lock may be in a signal handler that needs a lock of the shim. During
 *   a fork, other threads wait at a gate before they take their first lock, so that the child
 *   finds all guarded data consistent. If a fork takes long, the gate lets threads pass
 *   one at a time, because the fork may be waiting for one of them. */
#ifndef SHIM_COMMON_LOCK_H
#define SHIM_COMMON_LOCK_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

struct lock {
    /* free, taken or awaited, plus the generation of the process that changed it last */
    atomic_uint state;
};

/* State of the thread before it took a lock. */
struct lock_before {
    sigset_t signals;
    int cancel;
    bool kept; /* true if the thread already held another lock; signals then stay as they are */
};

/* True if the caller is a thread of the shim or a thread that holds a lock. A signal handler that
 * interrupts the model runs in a thread that holds a lock. */
bool lock_is_inside(void);

enum { LOCK_STACKS = 256 };

/* Registers the stack of a thread of the shim, `size` bytes from `low`. lock_is_inside() is true
 * for all code on a registered stack, from the thread's first instruction to its last. All stacks
 * have the same size. At most LOCK_STACKS stacks are registered, and they stay registered. */
void lock_know_stack(const void *low, size_t size);

/* lock_is_own_thread() returns true if this thread was marked as a thread of the shim.
 * lock_mark_thread() marks this thread. */
bool lock_is_own_thread(void);
void lock_mark_thread(void);

/* Waits until the lock is free, and takes it. The thread must not already hold this lock. */
void lock_take(struct lock *lock, struct lock_before *before);

/* Releases the lock and restores the state that the thread had before lock_take(). A thread that
 * holds several locks releases the last one first. */
void lock_give(struct lock *lock, const struct lock_before *before);

/* Like lock_take() and lock_give(), but for a handler of faults, which runs with signals blocked.
 * Signals stay blocked. */
void lock_take_blocked(struct lock *lock);
void lock_give_blocked(struct lock *lock);

/* Steps of a fork. lock_begin_fork() waits until no other thread is forking, blocks signals in this
 * thread, and stops other threads from taking a first lock. The caller then takes the device's lock
 * and calls lock_close_gate(), which waits until no other thread holds a lock. The caller then
 * releases the device's lock and forks. lock_end_fork() opens the gate and restores the thread's
 * signals, in the parent and in the child. */
void lock_begin_fork(void);
void lock_close_gate(void);
void lock_end_fork(void);

/* Frees all locks in a copy of the process, in which no other thread exists. Returns false if
 * another thread held a lock when the copy was created. Data that the lock guards may then be half
 * changed. */
bool lock_renew(void);

#endif
