/* SPDX-License-Identifier: MIT */
/* check_steps.h - the sanitizer's steps: checks that depend on values, or on the path through the
 * program.
 *
 * The decoder inserts a check before the step that it concerns, unless the program alone proves
 * that the check cannot fail. */
#ifndef UTGARD_CHECK_STEPS_H
#define UTGARD_CHECK_STEPS_H

#include "utgard/step.h"

/* Register component `value` is read. Checks that it has been written and that no write to it is
 * pending. */
gp_handler gp_step_check_register;

/* Mark register component, or address register, `value` as written. */
gp_handler gp_step_mark_register;
gp_handler gp_step_mark_address;

/* Row `value` plus address register b is loaded (b = 0: no address register). Checks the row's
 * number and contents. */
gp_handler gp_step_check_row;

/* An address register is set to a. Checks that a is a whole number. */
gp_handler gp_step_check_address;

/* Temporaries are stored to the row in address register 0. Checks the row. */
gp_handler gp_step_check_temporary;

/* a is stored to w of the position. Checks that a is not 0. */
gp_handler gp_step_check_w;

/* The complex unit has computed b from a. Records the first infinity or NaN of each lane. */
gp_handler gp_step_note_function;

/* a is stored to varying `value`. Checks that a is not NaN, or, if `more` is set (the position),
 * that a is finite. */
gp_handler gp_step_check_number;

/* Checks that clamp's bounds are in order: a not above b. */
gp_handler gp_step_check_bounds;

/* Checks complex2 of a and b: both operands must be equal. */
gp_handler gp_step_check_complex2;

/* Copies a, the operand of the complex unit, to b, for the check of complex1. */
gp_handler gp_step_keep_operand;

/* Checks a and b, the second and fourth operand of complex1, against the operand of the complex
 * unit. */
gp_handler gp_step_check_complex1;

#endif
