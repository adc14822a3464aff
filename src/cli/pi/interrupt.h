/* SPDX-License-Identifier: MIT */
/* interrupt.h - signals that end a run with its reports, such as Ctrl-C. */
#ifndef CLI_PI_INTERRUPT_H
#define CLI_PI_INTERRUPT_H

#include <stdbool.h>

/* Takes over SIGINT, SIGTERM and SIGHUP. The first signal sets a mark. The second one gives the
 * terminal its settings back, and ends the program as before. */
void interrupt_begin(void);

/* Returns true if there was a signal. */
bool interrupt_seen(void);

#endif
