/* SPDX-License-Identifier: MIT */
/* alu.h - the arithmetic of the QPU's add and mul ALUs (manual tables 12 and 13).
 *
 * Each operation exists twice, with the same results bit for bit: for one element, in integers,
 * which is the reference; and for 16 elements at once. */
#ifndef VC4_ALU_H
#define VC4_ALU_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/lanes.h"

/* Result of one element. */
struct alu_result {
    uint32_t value;
    bool carry;    /* what goes to the C flag */
    bool overflow; /* signed overflow of add and sub, for the saturating packs; else false */
};

typedef struct alu_result alu_element(uint32_t a, uint32_t b);

/* *result may be *a or *b. Float operations want the host in QPU mode (fpmode.h). */
typedef void alu_lanes(lanes *result, const lanes *a, const lanes *b);

/* The C flags of all elements. */
typedef lane_mask alu_carry(const lanes *a, const lanes *b, const lanes *result);

struct alu_op {
    alu_element *element; /* NULL: reserved opcode */
    alu_lanes *lanes;
    alu_carry *carry;
};

/* By opcode. The entries of "nop" give 0 and are never asked. */
extern const struct alu_op alu_add_ops[32];
extern const struct alu_op alu_mul_ops[8];

/* N and Z flags of a result. */
lane_mask alu_negative(const lanes *value);
lane_mask alu_zero(const lanes *value);

/* Moves of whole vectors; alu_select() copies the elements in mask. */
void alu_copy(lanes *to, const lanes *from);
void alu_splat(lanes *to, uint32_t value);
void alu_select(lanes *to, const lanes *from, lane_mask mask);

#endif
