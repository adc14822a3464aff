/* SPDX-License-Identifier: MIT */
/* steps.h - the steps that do not use vectors: delayed writes, and accesses whose address
 * differs between lanes. */
#ifndef UTGARD_STEPS_H
#define UTGARD_STEPS_H

#include "utgard/step.h"

/* Loads the components in mask `more` of row `value` to struct gp_set.row. Adds address register
 * b to the row if b is not 0. */
gp_handler gp_step_load_row;

/* Returns a component of a row as a lane sees it: the lane's own value after a store, otherwise
 * the value from before the program. */
uint32_t gp_row_component(const struct gp_machine *machine, uint32_t row, unsigned component,
                          unsigned lane);

/* Store a after a delay: to register component `value`, or to component `value` of the temporary
 * row in address register 0. */
gp_handler gp_step_send_register;
gp_handler gp_step_send_temporary;

/* Set address register `value` to a, rounded down to an integer: at once, or after a delay. */
gp_handler gp_step_set_address;
gp_handler gp_step_send_address;

/* Performs the pending writes that are due. Must be called before the instruction executes. */
void gp_land(struct gp_machine *machine, struct gp_group *group);

/* Performs all pending writes for some lanes of the group. The writes stay pending for the other
 * lanes. */
void gp_land_all(struct gp_machine *machine, const struct gp_group *group, gp_mask lanes);

/* Discards all pending writes. */
void gp_landing_clear(struct gp_group *group);

#endif
