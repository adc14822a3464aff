/* SPDX-License-Identifier: MIT */
/* blocked.c - see blocked.h.
 *
 * Out: a set of signals.
 *
 * Source: the manual pages signal(7) and pthread_sigmask(3): the effect of blocking a signal that
 *         the thread's own instruction raises is undefined. */
#include "blocked.h"

#include <stddef.h>

sigset_t blocked_signals(void)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT};
    sigset_t set;
    sigfillset(&set);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        sigdelset(&set, own[i]);
    return set;
}
