/* SPDX-License-Identifier: MIT */
/* check.h - the QPU checker: finds what the hardware would punish in silence.
 *
 * In:       instruction words at bus addresses, which of them are data, and where programs begin.
 * Out:      findings: a rule of rules.def, the instruction, and the other one that it is about.
 * Source:   rules.def names one for each rule.
 * Left out: values that are not constant: rules that depend on values (setups, numbers of words) are silent there. */
#ifndef ISA_QPU_CHECK_H
#define ISA_QPU_CHECK_H

#include "isa/check_input.h"

/* Whether an assembler could have made this word: ports that nobody reads have the address of nop, and no code is
 * reserved. Numbers seldom look like that. */
bool check_is_plausible(const uint8_t *word);

extern const struct check_machine qpu_check_machine;

#endif
