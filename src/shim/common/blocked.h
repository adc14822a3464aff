/* SPDX-License-Identifier: MIT */
/* blocked.h - the signals that a shim blocks while it holds a lock. A handler of such a signal
 * might need the lock that its own thread holds. */
#ifndef SHIM_COMMON_BLOCKED_H
#define SHIM_COMMON_BLOCKED_H

#include <signal.h>

/* Returns all signals except those that a thread's own instructions raise (SIGSEGV, SIGBUS, SIGILL,
 * SIGFPE, SIGTRAP, SIGABRT). */
sigset_t blocked_signals(void);

#endif
