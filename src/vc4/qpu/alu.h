/* SPDX-License-Identifier: MIT */
/* alu.h - operations of the QPU's add and mul ALUs (manual tables 12 and 13).
 *
 * Each operation has two implementations with bit-identical results: the reference computes one
 * element in integer arithmetic, the vector version computes all 16 elements. */
#ifndef VC4_QPU_ALU_H
#define VC4_QPU_ALU_H

#include <stdint.h>

#include "vc4/lanes/lanes.h"
#include "vc4/qpu/alu_op.h"

/* alu_negative() returns the N flags of all elements, alu_zero() the Z flags. */
lane_mask alu_negative(const lanes *value);
lane_mask alu_zero(const lanes *value);

/* Moves of whole vectors. alu_select() copies only the elements in mask. */
void alu_copy(lanes *to, const lanes *from);
void alu_splat(lanes *to, uint32_t value);
void alu_select(lanes *to, const lanes *from, lane_mask mask);

#endif
