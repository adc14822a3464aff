/* SPDX-License-Identifier: MIT */
/* signals.h - shares SIGSEGV between the shim and the program. signals.c interposes sigaction(),
 * signal() and the like. */
#ifndef VCIO_SIGNALS_H
#define VCIO_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* Installs a handler of SIGSEGV, which runs with all signals blocked. If the program installs its
 * own handler, before or later, the shim keeps it separately. Returns false if the system refuses
 * the handler. */
bool signals_take(void (*handler)(int number, siginfo_t *info, void *context));

/* Called by the shim's handler for a signal that is not caused by the shim's mappings. Calls the
 * program's handler as the system would, or lets the signal end the process. */
void signals_pass(int number, siginfo_t *info, void *context);

/* signals_defer() sets whether this thread keeps a SIGSEGV that was sent pending until the shim's
 * handler ends, although SIGSEGV is not blocked. Returns the previous value, which is false at
 * first. Set while the shim accesses memory of the program, and cleared while the model runs.
 * signals_keep() keeps a signal pending and blocks SIGSEGV in the interrupted code, or returns
 * false if the thread does not defer signals. */
bool signals_defer(bool deferred);
bool signals_keep(int number, siginfo_t *info, void *context);

/* Calls the C library's pthread_sigmask(). */
int signals_mask(int how, const sigset_t *set, sigset_t *old);

#endif
