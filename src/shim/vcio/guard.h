/* SPDX-License-Identifier: MIT */
/* guard.h - what trap.c asks of the guard of GPU memory; the rest of it is in trap.h. */
#ifndef VCIO_GUARD_H
#define VCIO_GUARD_H

#include <stdbool.h>

/* Whether the guard is closed. */
bool guard_is_closed(void);

#endif
