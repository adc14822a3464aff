/* SPDX-License-Identifier: MIT */
/* check.h - the sanitizer: what an instruction does wrong, given those that were executed before it.
 *
 * In:      instructions, and the way of a group to the one that it is at.
 * Out:     findings.
 * What depends on the way only is looked at once for each way, and then known to be clean or not. What depends on values is
 * looked at by steps of its own (check_steps.h), which the decoder puts in where they are needed.
 * Source:  digest utgard.md, section 21. */
#ifndef UTGARD_CHECK_H
#define UTGARD_CHECK_H

#include "utgard/machine.h"

/* Before the group executes the instruction that it is at. */
void gp_check(struct gp_machine *machine);

/* Forgets which ways are clean. */
void gp_check_reset(struct gp_machine *machine);

#endif
