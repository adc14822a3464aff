/* SPDX-License-Identifier: MIT */
/* sfu.h - Special Functions Unit (manual section 3, "Special Functions Unit").
 *
 * In:  words that a QPU writes to registers 52 to 55.
 * Out: words for the QPU's accumulator r4, which receives them later (qpu.c). */
#ifndef VC4_QPU_SFU_H
#define VC4_QPU_SFU_H

#include <stdint.h>

#include "vc4/lanes/lanes.h"

/* Functions, in the order of the registers. */
enum sfu_function { SFU_RECIP, SFU_RECIPSQRT, SFU_EXP, SFU_LOG };

uint32_t sfu_element(enum sfu_function function, uint32_t value);
void sfu_lanes(lanes *result, enum sfu_function function, const lanes *value);

#endif
