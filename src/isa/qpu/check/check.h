/* SPDX-License-Identifier: MIT */
/* check.h - the QPU checker: finds mistakes that the hardware does not report.
 *
 * In:       instruction words at bus addresses, which words are data, and where programs begin.
 * Out:      findings: a rule of rules.def, the instruction, and the other instruction involved.
 * Source:   named by rules.def for each rule.
 * Left out: values that are not constant. Rules about values (setups, numbers of words) report
 *           nothing about them. */
#ifndef ISA_QPU_CHECK_H
#define ISA_QPU_CHECK_H

#include "isa/check_input.h"

/* Returns true if an assembler could have written this word: unused ports have the address of nop,
 * and no code is reserved. Data words rarely have this form. */
bool check_is_plausible(const uint8_t *word);

extern const struct check_machine qpu_check_machine;

#endif
