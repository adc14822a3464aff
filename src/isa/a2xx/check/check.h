/* SPDX-License-Identifier: MIT */
/* check.h - the A2xx checker: finds what the shader core would do wrong in silence.
 *
 * In:       the slots of a program, which begins with its control flow, and the interface that the file declares.
 * Out:      findings: a rule of rules.def, the instruction, and the other one that it is about. Control-flow instructions
 *           have 6 bytes, others 12.
 * Source:   rules.def names one for each rule.
 * Left out: values that only the run knows: what a0 and aL are, which way a jump goes. */
#ifndef ISA_A2XX_CHECK_H
#define ISA_A2XX_CHECK_H

#include "isa/check_input.h"

extern const struct check_machine a2xx_check_machine;

#endif
