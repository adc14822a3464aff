/* SPDX-License-Identifier: MIT */
/* gp_check.h - the GP checker: finds mistakes that the vertex processor does not report.
 *
 * In:       instruction words, the starts of programs, and the interface that the file declares.
 * Out: findings. A finding names a rule of gp_rules.def, an instruction and, for some rules, a second
 *      instruction.
 * Source:   gp_rules.def names the source of each rule.
 * Left out: values that are known only when the program runs, such as the row that an address
 *           register selects and the direction of a branch. */
#ifndef CHECK_GP_GP_CHECK_H
#define CHECK_GP_GP_CHECK_H

#include "check/frame/check_input.h"

extern const struct check_machine gp_check_machine;

#endif
