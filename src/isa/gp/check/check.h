/* SPDX-License-Identifier: MIT */
/* check.h - the GP checker: finds what the vertex processor would do wrong in silence.
 *
 * In:       instruction words, where programs begin, and the interface that the file declares.
 * Out:      findings: a rule of rules.def, the instruction, and the other one that it is about.
 * Source:   rules.def names one for each rule.
 * Left out: values that only the run knows: which row an address register names, which way a branch goes. */
#ifndef ISA_GP_CHECK_H
#define ISA_GP_CHECK_H

#include "isa/check_input.h"

extern const struct check_machine gp_check_machine;

#endif
