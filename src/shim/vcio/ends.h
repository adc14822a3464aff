/* SPDX-License-Identifier: MIT */
/* ends.h - the ways in which a process ends: exit and return, _exit, quick_exit, abort, fatal signals, exec. */
#ifndef SHIM_VCIO_ENDS_H
#define SHIM_VCIO_ENDS_H

/* Has end called whenever this process is about to end, or to become another one; also more than once (exec may fail), and
 * from a thread of its own. Not in children that only begin with fork or vfork: those call it again if they want to. */
void ends_install(void (*end)(void));

/* For the handler of a signal that kills the process, before it lets that happen: has end called, for a few seconds at most.
 * Safe in signal handlers. */
void ends_fatal(void);

#endif
