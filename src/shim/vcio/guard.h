/* SPDX-License-Identifier: MIT */
/* guard.h - the state of the guard of GPU memory, for trap.c. trap.h declares the guard's other
 * functions. */
#ifndef VCIO_GUARD_H
#define VCIO_GUARD_H

#include <stdbool.h>

/* True if the guard is closed. */
bool guard_is_closed(void);

#endif
