/* SPDX-License-Identifier: MIT */
/* qpu_check.h - the QPU checker: finds mistakes that the hardware does not report.
 *
 * In:       instruction words at bus addresses, which words are data, and where programs begin.
 * Out:      findings. Each finding has a rule of qpu_rules.def, the instruction that breaks the rule,
 *           and a second instruction if two instructions break the rule together.
 * Source:   named by qpu_rules.def for each rule.
 * Left out: values that are not constant. Rules about values, for example about setup words,
 *           report nothing where a value is unknown. */
#ifndef CHECK_QPU_QPU_CHECK_H
#define CHECK_QPU_QPU_CHECK_H

#include "check/frame/check_input.h"

extern const struct check_machine qpu_check_machine;

#endif
