/* SPDX-License-Identifier: MIT */
/* runaway.h - reports vertices that have reached the instruction limit, together with the loop and
 * the reason why the loop does not end.
 *
 * In:      the current instruction of a group of vertices.
 * Out:     one finding, at the branch back of the innermost loop. */
#ifndef MALI_GP_RUNAWAY_H
#define MALI_GP_RUNAWAY_H

#include "mali/gp/batch.h"

void gp_find_runaway(struct gp_machine *machine, gp_mask lanes);

#endif
