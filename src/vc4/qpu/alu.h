/* SPDX-License-Identifier: MIT */
/* alu.h - operations of the QPU's add and mul ALUs (manual tables 12 and 13).
 *
 * Each operation has two implementations with bit-identical results: the reference computes one
 * element in integer arithmetic, the vector version computes all 16 elements. */
#ifndef VC4_QPU_ALU_H
#define VC4_QPU_ALU_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/lanes/lanes.h"

/* alu_negative() returns the N flags of all elements, alu_zero() the Z flags. */
lane_mask alu_negative(const lanes *value);
lane_mask alu_zero(const lanes *value);

/* Moves of whole vectors. alu_select() copies only the elements in mask. */
void alu_copy(lanes *to, const lanes *from);
void alu_splat(lanes *to, uint32_t value);
void alu_select(lanes *to, const lanes *from, lane_mask mask);

/* Result for one element. */
struct alu_result {
    uint32_t value;
    bool carry;    /* new value of the C flag */
    bool overflow; /* signed overflow of add and sub, for the saturating packs; otherwise false */
};

typedef struct alu_result alu_element(uint32_t a, uint32_t b);

/* Computes all elements. result may alias a or b. For float operations, the host's floating-point
 * unit must be in QPU mode (fpmode.h). */
typedef void alu_lanes(lanes *result, const lanes *a, const lanes *b);

/* Returns the C flags of all elements. */
typedef lane_mask alu_carry(const lanes *a, const lanes *b, const lanes *result);

struct alu_op {
    alu_element *element; /* NULL if the opcode is reserved */
    alu_lanes *lanes;
    alu_carry *carry;
};

/* Operations by opcode. The entries for nop return 0, but the QPU never calls them. */
extern const struct alu_op alu_add_ops[32];
extern const struct alu_op alu_mul_ops[8];

#endif
