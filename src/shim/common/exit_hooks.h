/* SPDX-License-Identifier: MIT */
/* exit_hooks.h - hooks for forks, and for the end of a process: exit and return from main, _exit,
 * quick_exit, abort, fatal signals, exec. exit_hooks.c interposes _exit() and exec(). */
#ifndef SHIM_COMMON_EXIT_HOOKS_H
#define SHIM_COMMON_EXIT_HOOKS_H

#include <stdbool.h>

/* Calls `end` whenever this process is about to end or to exec another program. `end` may run more
 * than once, because exec may fail. If a signal kills the process, `crash` runs instead of `end`.
 * `crash` runs in a copy of the process. The copy has one thread, and every lock in the copy is in
 * the state that it had in the process. In a child created with vfork(), neither function runs. */
void exit_hooks_install(void (*end)(void), void (*crash)(void));

/* Makes `crash` run for signal `number`, too, if the signal's action is still the default.
 * exit_hooks_install() covers the usual fatal signals except SIGSEGV, for which the shim may call
 * this function. */
void exit_hooks_watch(int number);

/* For the handler of a signal that is about to kill the process. Runs `crash` in a copy of the
 * process, for 10 seconds at most. Safe in signal handlers. */
void exit_hooks_fatal(void);

/* Registers functions for fork(). `before` runs with the device's lock in the forking thread, and
 * may be NULL. `in_child` runs in the child; `whole` is false if another thread used the device
 * when the process forked, so that the device's data may be half changed. Called once, before
 * main(). */
void exit_hooks_watch_forks(void (*before)(void), void (*in_child)(bool whole));

#endif
