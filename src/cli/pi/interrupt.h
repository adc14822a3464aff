/* SPDX-License-Identifier: MIT */
/* interrupt.h - signals that end a run with its reports, such as Ctrl-C. */
#ifndef CLI_PI_INTERRUPT_H
#define CLI_PI_INTERRUPT_H

#include <stdbool.h>

/* Takes over the signals that end programs, except those that are ignored. The first of SIGINT,
 * SIGTERM and SIGHUP sets a mark. Other signals, and the second one of these, give the terminal its
 * settings back, and end the program as before. Later calls have no effect. */
void interrupt_begin(void);

/* Returns true if there was a signal. */
bool interrupt_seen(void);

#endif
