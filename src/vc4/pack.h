/* SPDX-License-Identifier: MIT */
/* pack.h - the QPU's conversions on the way in and out of its ALUs (manual tables 6 to 9). */
#ifndef VC4_PACK_H
#define VC4_PACK_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/lanes.h"

/* Unpack modes 0..7 of regfile A and r4. as_float says that a float operation consumes the value.
 */
uint32_t unpack_element(unsigned mode, bool as_float, uint32_t value);
void unpack_lanes(lanes *result, unsigned mode, bool as_float, const lanes *value);

/* A result and the flags that saturation looks at. */
struct pack_input {
    uint32_t value;
    bool is_float;        /* a float operation's result */
    bool carry, overflow; /* as in struct alu_result */
};

/* Pack modes 0..15 of regfile A: the new content of a register that held old. */
uint32_t pack_element(unsigned mode, struct pack_input input, uint32_t old);

/* The mul ALU's colour conversion: floor(255 f + 1/2), clamped to 0..255. */
uint32_t pack_colour(uint32_t value);

/* Pack modes of the mul ALU: 0, 3 (replicate) and 4..7 (one byte of old replaced). 11..15 are the
 * same, as in file A where bit 3 asks for saturation, which this conversion always does: vc4asm writes 11
 * for ".8abcdsf" (src/AssembleInst.cpp). Others are reserved and give 0. */
uint32_t pack_mul_element(unsigned mode, uint32_t value, uint32_t old);
void pack_mul_lanes(lanes *result, unsigned mode, const lanes *value, const lanes *old);

#endif
