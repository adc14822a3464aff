/* SPDX-License-Identifier: MIT */
/* sanitize.h - the sanitizer: finds mistakes in instructions. A mistake can depend on the
 * instructions that were executed before.
 *
 * In:      instructions, and the path of a group to its current instruction.
 * Out:     findings.
 * Rules that depend only on the path are checked once for each path, and the result is remembered.
 * Rules that depend on values are checked by separate steps (sanitize_steps.h). The decoder inserts
 * these steps where they are needed.
 * Source:  docs/hardware/utgard.md, section 21. */
#ifndef MALI_GP_SANITIZE_H
#define MALI_GP_SANITIZE_H

#include "mali/gp/batch.h"

/* Checks the group's current instruction. Must be called before the group executes it. */
void gp_check(struct gp_machine *machine);

/* Discards the remembered results of all paths. */
void gp_check_reset(struct gp_machine *machine);

#endif
