/* SPDX-License-Identifier: MIT */
/* guard.h - the guard of GPU memory: while work is pending, its mappings are closed (trap.h). */
#ifndef VCIO_GUARD_H
#define VCIO_GUARD_H

#include <stdbool.h>

/* True if the guard is closed. */
bool guard_is_closed(void);

/* guard_close() closes the guard when work becomes pending. guard_open() opens it when all work is
 * done. The machine calls them with the device's lock. */
void guard_close(void);
void guard_open(void);

#endif
