/* SPDX-License-Identifier: MIT */
/* alu_op.h - tables of the operations of the QPU's ALUs (alu.h). */
#ifndef VC4_QPU_ALU_OP_H
#define VC4_QPU_ALU_OP_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/lanes/lanes.h"

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
