/* SPDX-License-Identifier: MIT */
/* check_steps.h - the steps of the sanitizer: what is wrong only for some values, or on some ways through the program.
 *
 * The decoder puts them in before the step that they look at, where the program alone does not show that all is well. */
#ifndef UTGARD_CHECK_STEPS_H
#define UTGARD_CHECK_STEPS_H

#include "utgard/step.h"

/* Register component `value` is read: it has been written, and no write is on its way. */
gp_handler gp_step_check_register;

/* Register component, or address register, `value` has been written. */
gp_handler gp_step_mark_register;
gp_handler gp_step_mark_address;

/* Row `value` plus address register b, 0 if there is none, is loaded. */
gp_handler gp_step_check_row;

/* a becomes an address: it is a whole number. */
gp_handler gp_step_check_address;

/* Temporaries are stored to the row in address register 0. */
gp_handler gp_step_check_temporary;

/* a is stored to w of the position: it is not 0. */
gp_handler gp_step_check_w;

/* The complex unit has computed b from a: the first infinity or NaN of a lane is noted. */
gp_handler gp_step_note_function;

/* a is stored to varying `value`: it is a number, and finite if `more`, which is the position. */
gp_handler gp_step_check_number;

/* clamp's bounds: a not above b. */
gp_handler gp_step_check_bounds;

/* complex2 of a and b. */
gp_handler gp_step_check_complex2;

/* a to b: what the complex unit reads, kept for complex1. */
gp_handler gp_step_keep_operand;

/* complex1's second and fourth operand, a and b, after a function of the complex unit. */
gp_handler gp_step_check_complex1;

#endif
