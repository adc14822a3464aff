/* SPDX-License-Identifier: MIT */
/* constant.h - constants that an ALU can compute from one small immediate. */
#ifndef ISA_QPU_CONSTANT_H
#define ISA_QPU_CONSTANT_H

#include <stdbool.h>
#include <stdint.h>

/* A recipe for a constant: one ALU computes op(x, x), where x is the value of the small immediate
 * with this code, and packs the result. */
struct qpu_recipe {
    bool mul;
    uint8_t op, code;
    uint8_t mode; /* pack mode as in operand.h, or 0 for none */
};

enum { QPU_NO_SMALL = 0xff };

/* Returns the small immediate code, 0 to 47, of a value, or QPU_NO_SMALL if no code has the
 * value. */
unsigned qpu_small_code(uint32_t value);

/* Compute op(x, x). Return false for opcodes and values whose result on the
 * hardware is not certain. */
bool qpu_fold_add(unsigned op, uint32_t x, uint32_t *result);
bool qpu_fold_mul(unsigned op, uint32_t x, uint32_t *result);

/* Iterates over all recipes for value, the best first. *at must be 0 at the first call. Returns
 * false at the end. */
bool qpu_next_recipe(uint32_t value, uint32_t *at, struct qpu_recipe *recipe);

#endif
