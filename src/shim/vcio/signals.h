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

/* Calls the C library's pthread_sigmask(). */
int signals_mask(int how, const sigset_t *set, sigset_t *old);

#endif
