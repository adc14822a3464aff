/* SPDX-License-Identifier: MIT */
/* runaway.h - reports vertices that have reached the instruction limit, together with the loop and
 * the reason why the loop does not end.
 *
 * In:      the current instruction of a group of vertices.
 * Out:     one finding, at the branch back of the innermost loop. */
#ifndef UTGARD_RUNAWAY_H
#define UTGARD_RUNAWAY_H

#include "utgard/machine.h"

void gp_find_runaway(struct gp_machine *machine, gp_mask lanes);

#endif
