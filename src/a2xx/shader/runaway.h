/* SPDX-License-Identifier: MIT */
/* runaway.h - reports lanes that have reached the instruction limit, with the loop and the reason
 * why it does not end.
 *
 * In:      the group's position in the program.
 * Out:     one finding, at the jump back of the innermost loop.
 * Left out: an analysis of values that change in the loop. */
#ifndef A2XX_SHADER_RUNAWAY_H
#define A2XX_SHADER_RUNAWAY_H

#include "a2xx/shader/batch.h"

void a2xx_find_runaway(struct a2xx_machine *machine, a2xx_mask lanes);

#endif
