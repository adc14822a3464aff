/* SPDX-License-Identifier: MIT */
/* ends.h - the ways in which a process ends: exit and return, _exit, quick_exit, abort, fatal signals, exec. ends.c interposes
 * those that are functions. */
#ifndef SHIM_COMMON_ENDS_H
#define SHIM_COMMON_ENDS_H

/* Has end called whenever this process is about to end, or to become another one; also more than once (exec may fail). When a
 * signal kills the process, crash is called instead, in a copy of the process with one thread, whose locks are as they
 * were. Neither is called in children that have begun with vfork. */
void ends_install(void (*end)(void), void (*crash)(void));

/* Counts a signal among those that kill, too, if nobody makes use of it so far: SIGSEGV is left to the shim. */
void ends_watch(int number);

/* For the handler of a signal that kills the process, before it lets that happen: has crash called, for a few seconds at
 * most. Safe in signal handlers. */
void ends_fatal(void);

#endif
