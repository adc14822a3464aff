/* SPDX-License-Identifier: MIT */
/* pack.h - the QPU's unpack and pack conversions of operands and results (manual tables 6 to 9). */
#ifndef VC4_QPU_PACK_H
#define VC4_QPU_PACK_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/lanes/lanes.h"

/* Unpack an operand with one of the modes 0..7 of regfile A and r4. as_float is true if a float
 * operation uses the value. */
uint32_t unpack_element(unsigned mode, bool as_float, uint32_t value);
void unpack_lanes(lanes *result, unsigned mode, bool as_float, const lanes *value);

/* A result to pack, and the flags that saturation depends on. */
struct pack_input {
    uint32_t value;
    bool is_float;        /* result of a float operation */
    bool carry, overflow; /* as in struct alu_result */
};

/* Packs a result with one of the modes 0..15 of regfile A. old is the register's previous content.
 * Returns the new content. */
uint32_t pack_element(unsigned mode, struct pack_input input, uint32_t old);

/* Returns the mul ALU's colour conversion of a float: floor(255 f + 1/2), clamped to 0..255. */
uint32_t pack_colour(uint32_t value);

/* Pack a result with a mode of the mul ALU. Mode 0 packs nothing, mode 3 writes the colour to all
 * bytes, and modes 4..7 replace one byte of old. Modes 11..15 have the same results as 3..7: bit 3
 * requests saturation as in regfile A, but the colour conversion always saturates. vc4asm encodes
 * ".8abcdsf" as 11 (src/AssembleInst.cpp). Other modes are reserved and return 0. */
uint32_t pack_mul_element(unsigned mode, uint32_t value, uint32_t old);
void pack_mul_lanes(lanes *result, unsigned mode, const lanes *value, const lanes *old);

#endif
