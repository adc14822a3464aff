/* SPDX-License-Identifier: MIT */
/* exit_hooks.h - hooks for the end of a process: exit and return, _exit, quick_exit, abort, fatal
 * signals, exec. exit_hooks.c interposes the functions among these. */
#ifndef SHIM_COMMON_EXIT_HOOKS_H
#define SHIM_COMMON_EXIT_HOOKS_H

/* Calls `end` whenever this process is about to end or to exec another program. `end` may run more
 * than once, because exec may fail. If a signal kills the process, `crash` runs instead: in a copy
 * of the process, which has one thread and in which locks keep their state. Children created
 * with vfork() call neither. */
void exit_hooks_install(void (*end)(void), void (*crash)(void));

/* Treats signal number as fatal, too, if its action is still the default. exit_hooks_install()
 * covers the usual fatal signals except SIGSEGV, which is left to the shim. */
void exit_hooks_watch(int number);

/* For a handler of a signal that is about to kill the process: runs crash in a copy of the process,
 * for 10 seconds at most. Safe in signal handlers. */
void exit_hooks_fatal(void);

#endif
