/* SPDX-License-Identifier: MIT */
/* blocked.h - the signals that a shim blocks while it has its lock: their handlers might want it, too. */
#ifndef SHIM_COMMON_BLOCKED_H
#define SHIM_COMMON_BLOCKED_H

#include <signal.h>

/* All but those that a thread's own instructions raise. */
sigset_t blocked_signals(void);

#endif
