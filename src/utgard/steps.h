/* SPDX-License-Identifier: MIT */
/* steps.h - the steps that are not done by vectors: what takes its time to arrive, and what depends on the lane. */
#ifndef UTGARD_STEPS_H
#define UTGARD_STEPS_H

#include "utgard/step.h"

/* Components in the mask `more` of row `value`, plus address register b if it is not 0, to struct gp_set.row. */
gp_handler gp_step_load_row;

/* What a lane finds in a row: its own, or what was there before the program began. */
uint32_t gp_row_component(const struct gp_machine *machine, uint32_t row, unsigned component,
                          unsigned lane);

/* a arrives in register component `value`, or in component `value` of the temporary row in address register 0, some
 * instructions later. */
gp_handler gp_step_send_register;
gp_handler gp_step_send_temporary;

/* a, rounded down to an integer, to address register `value`: at once, or later. */
gp_handler gp_step_set_address;
gp_handler gp_step_send_address;

/* Before an instruction: lets what is due arrive. */
void gp_land(struct gp_machine *machine, struct gp_group *group);

/* The same with all that is on its way, for some lanes of the group; nothing is forgotten. */
void gp_land_all(struct gp_machine *machine, const struct gp_group *group, gp_mask lanes);

/* Forgets what is on its way. */
void gp_landing_clear(struct gp_group *group);

#endif
