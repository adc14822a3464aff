/* SPDX-License-Identifier: MIT */
/* signals.h - SIGSEGV is shared between the shim and the program. signals.c interposes sigaction(), signal() and the like. */
#ifndef VCIO_SIGNALS_H
#define VCIO_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* Installs a handler of SIGSEGV. The program's own, installed before or later, is kept beside it. The handler runs
 * with all signals blocked. False: the system refuses. */
bool signals_take(void (*handler)(int number, siginfo_t *info, void *context));

/* From that handler: this signal is the program's. Calls what the program installed, as the system would; or has the process
 * end by it. */
void signals_pass(int number, siginfo_t *info, void *context);

/* pthread_sigmask() of the C library. */
int signals_mask(int how, const sigset_t *set, sigset_t *old);

#endif
