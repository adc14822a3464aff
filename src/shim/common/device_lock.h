/* SPDX-License-Identifier: MIT */
/* device_lock.h - the lock of a shim's device, and signals during a run of the model.
 *
 * In:  requests of the program's threads.
 * Out: one thread at a time uses the device. */
#ifndef SHIM_COMMON_DEVICE_LOCK_H
#define SHIM_COMMON_DEVICE_LOCK_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Take and release the device's lock. Calls may nest. While a thread holds the lock, it receives no
 * signals except those that its own instructions raise. */
void device_lock(void);
void device_unlock(void);

/* Releases the lock for `nanoseconds`, so that other threads can take it. The caller must hold the
 * lock exactly once. */
void device_give_way(uint32_t nanoseconds);

/* Called by a handler of faults, which runs with all signals blocked. `blocked` is the program's
 * signal mask in this thread, from which device_let_signals() reads the signals that the program
 * blocks. At the end of the handler, called with the previous value, which is NULL for the
 * outermost handler. Returns the previous value, because handlers may nest. */
const sigset_t *device_set_signals(const sigset_t *blocked);

/* Unblocks the signals that usually end a program, because a run of the model may take long, and
 * the signal `also` unless it is 0. A signal that the program has blocked stays blocked. Stores the
 * signal mask to restore in *before. Called with the lock. */
void device_let_signals(int also, sigset_t *before);

/* Makes the locks and the heap usable in a copy of the process that a signal kills (exit_hooks.h).
 * The copy has one thread. */
void device_in_copy(void);

/* device_set_process() records that this process is the owner of the memory.
 * device_is_own_process() then returns false in a child created with vfork(), which shares this
 * process's memory, but not its descriptors. */
void device_set_process(void);
bool device_is_own_process(void);

#endif
