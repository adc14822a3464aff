/* SPDX-License-Identifier: MIT */
/* steps.h - the steps that do not use vectors. These are delayed writes, and accesses whose address
 * differs between lanes. In the comments, a, b, value and more are members of struct gp_step. */
#ifndef MALI_GP_STEPS_H
#define MALI_GP_STEPS_H

#include "mali/gp/step.h"

/* Loads the components in mask `more` of row `value` to .row of struct gp_set. If b is not 0, adds
 * address register b to the row's number. */
gp_handler gp_step_load_row;

/* Returns a component of a row as a lane sees it. If the program has stored to the row, this is the
 * lane's own value. Otherwise it is the value that the row had before the program started. */
uint32_t gp_row_component(const struct gp_machine *machine, uint32_t row, unsigned component,
                          unsigned lane);

/* Store a after a delay. gp_step_send_register() stores to register component `value`.
 * gp_step_send_temporary() stores to component `value` of the temporary row whose number is in
 * address register 0. */
gp_handler gp_step_send_register;
gp_handler gp_step_send_temporary;

/* Set address register `value` to a, rounded down to an integer. gp_step_set_address() sets the
 * register immediately, gp_step_send_address() after a delay. */
gp_handler gp_step_set_address;
gp_handler gp_step_send_address;

/* Performs the pending writes that are due at the group's current instruction. Must be called
 * before the instruction executes. */
void gp_land(struct gp_machine *machine, struct gp_group *group);

/* Performs all pending writes for some lanes of the group. For the other lanes, the writes stay
 * pending. */
void gp_land_all(struct gp_machine *machine, const struct gp_group *group, gp_mask lanes);

/* Discards all pending writes. */
void gp_landing_clear(struct gp_group *group);

#endif
