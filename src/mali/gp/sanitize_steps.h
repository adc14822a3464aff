/* SPDX-License-Identifier: MIT */
/* sanitize_steps.h - the sanitizer's steps, which check rules that depend on values or on the path
 * through the program.
 *
 * The decoder inserts a check before the step to be checked, unless the program alone proves that
 * the check cannot fail. In the comments, a, b, value and more are members of struct gp_step. */
#ifndef MALI_GP_SANITIZE_STEPS_H
#define MALI_GP_SANITIZE_STEPS_H

#include "mali/gp/step.h"

/* Checks a read of register component `value`. The component must have been written, and no write
 * to it may be pending. */
gp_handler gp_step_check_register;

/* Mark register component `value`, or address register `value`, as written. */
gp_handler gp_step_mark_register;
gp_handler gp_step_mark_address;

/* Checks a load of row `value` plus address register b (0 if there is no address register). Checks
 * the number of the row and whether the row has a value. */
gp_handler gp_step_check_row;

/* Checks the value a, to which an address register is set. The value must be a whole number. */
gp_handler gp_step_check_address;

/* Checks a store of temporaries to the row whose number is in address register 0. Checks the
 * number, and that the row is not declared as a uniform or constant. */
gp_handler gp_step_check_temporary;

/* Checks the value a, which is stored to w of the position. The value must not be 0. */
gp_handler gp_step_check_w;

/* Records, for each lane, the first infinity or NaN that the complex unit computes. a is the unit's
 * operand and b is its result. */
gp_handler gp_step_note_function;

/* Checks the value a, which is stored to varying `value`. If `more` is 1, the varying is the
 * position and a must be finite. Otherwise a must not be NaN. */
gp_handler gp_step_check_number;

/* Checks the bounds of clamp. The lower bound a must not be greater than the upper bound b. */
gp_handler gp_step_check_bounds;

/* Checks the operands a and b of complex2, which must be equal. */
gp_handler gp_step_check_complex2;

/* Copies a, the operand of the complex unit, to b, which the check of complex1 reads. */
gp_handler gp_step_keep_operand;

/* Checks a and b, the second and fourth operands of complex1. They must match the operand of the
 * complex unit. */
gp_handler gp_step_check_complex1;

#endif
