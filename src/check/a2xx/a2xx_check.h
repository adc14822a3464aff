/* SPDX-License-Identifier: MIT */
/* a2xx_check.h - the A2xx checker: finds mistakes that the shader core does not report.
 *
 * In:       the slots of a program, which begins with its control flow, and the interface that the
 *           file declares.
 * Out: findings. A finding names a rule of a2xx_rules.def, an instruction and, for some rules, a second
 *      instruction. Control-flow instructions have 6 bytes, and other instructions have 12.
 * Source:   a2xx_rules.def names the source of each rule.
 * Left out: values that are known only when the program runs: a0, aL, and the direction of a
 *           jump. */
#ifndef CHECK_A2XX_A2XX_CHECK_H
#define CHECK_A2XX_A2XX_CHECK_H

#include "check/frame/check_input.h"

extern const struct check_machine a2xx_check_machine;

#endif
