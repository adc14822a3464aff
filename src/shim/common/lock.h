/* SPDX-License-Identifier: MIT */
/* lock.h - the locks of the shims. The program's own threads take them: within calls from signal
 * handlers, in threads that are cancelled, and in children of fork(). So there are three rules.
 *
 * - A thread that holds a lock has signals blocked and cannot be cancelled. No signal handler can
 *   find the lock held by its own thread.
 * - A thread that waits for a lock waits with the program's signal mask, so that a signal can still
 *   end the program.
 * - A thread that forks holds no lock. The C library's fork() waits for the C library's own
 *   locks, and their owner may be in a signal handler that needs a lock of the shim. Other
 *   threads wait at a gate meanwhile, so that the child finds all guarded data consistent. If a
 *   fork takes long, the gate lets one thread after another pass: the fork may be waiting for
 *   that thread. */
#ifndef SHIM_COMMON_LOCK_H
#define SHIM_COMMON_LOCK_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

struct lock {
    atomic_uint state; /* free, taken or awaited, plus the generation of the process */
};

/* State of the thread before it took a lock. */
struct lock_before {
    sigset_t signals;
    int cancel;
    bool kept; /* true if the thread already held another lock, so that signals stay as they are */
};

/* True if the caller is the shim or runs inside it: a thread of the shim, or a thread that holds a
 * lock. The latter includes a signal handler that has interrupted the model. */
bool lock_is_inside(void);

enum { LOCK_STACKS = 256 };

/* Registers the stack of a thread of the shim, size bytes from low. Code that runs on a registered
 * stack is inside, from the thread's first instruction to its last. All stacks have the same size
 * and stay registered. At most LOCK_STACKS stacks are registered. */
void lock_know_stack(const void *low, size_t size);

/* Return true if the thread is one of the shim's own, and mark the thread as such. */
bool lock_is_own_thread(void);
void lock_mark_thread(void);

/* Waits until the lock is free, and takes it. The thread must not already hold this lock. */
void lock_take(struct lock *lock, struct lock_before *before);

/* Releases the lock and restores the thread's state from before lock_take(). Locks are released in
 * the opposite order. */
void lock_give(struct lock *lock, const struct lock_before *before);

/* Like lock_take() and lock_give(), but for a handler of faults. It already has signals blocked,
 * and they stay blocked. */
void lock_take_blocked(struct lock *lock);
void lock_give_blocked(struct lock *lock);

/* Steps of a fork. lock_begin_fork() waits until no other thread forks, blocks the thread's
 * signals, and stops other threads from taking their first lock. The caller then takes the device's
 * lock. lock_close_gate() waits until no other thread is inside, after which the caller releases
 * the device's lock. lock_end_fork(), in the parent and in the child, opens the gate and restores
 * the thread's signals. */
void lock_begin_fork(void);
void lock_close_gate(void);
void lock_end_fork(void);

/* Frees all locks in a copy of the process, which has no other thread. Returns false if another
 * thread was inside when the copy was created. Guarded data may then be half changed. */
bool lock_renew(void);

#endif
