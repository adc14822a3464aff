/* SPDX-License-Identifier: MIT */
/* runaway.h - lanes that have reached the limit of instructions: which loop they are in, and why it does not end.
 *
 * In:      the group's place in the program.
 * Out:     one finding, at the jump that closes the innermost loop.
 * Left out: whether values that change in the loop will ever end it. */
#ifndef A2XX_RUNAWAY_H
#define A2XX_RUNAWAY_H

#include "a2xx/machine.h"

void a2xx_find_runaway(struct a2xx_machine *machine, a2xx_mask lanes);

#endif
