/* SPDX-License-Identifier: MIT */
/* constant.h - constants that an ALU makes out of one small immediate. */
#ifndef ISA_QPU_CONSTANT_H
#define ISA_QPU_CONSTANT_H

#include <stdbool.h>
#include <stdint.h>

/* A way to make a constant: op(x, x) on an ALU, where x is the small immediate code, then packed. */
struct qpu_recipe {
    bool mul;
    uint8_t op, code;
    uint8_t mode; /* pack mode with its flags, 0 for none */
};

enum { QPU_NO_SMALL = 0xff };

/* The code 0..47 whose value this is, or QPU_NO_SMALL. */
unsigned qpu_small_code(uint32_t value);

/* op(x, x), as far as the result is certain: false for opcodes and values of which the hardware's
 * result is not. */
bool qpu_fold_add(unsigned op, uint32_t x, uint32_t *result);
bool qpu_fold_mul(unsigned op, uint32_t x, uint32_t *result);

/* Goes through all recipes for value, the best ones first. *at starts at 0; false at the end. */
bool qpu_next_recipe(uint32_t value, uint32_t *at, struct qpu_recipe *recipe);

#endif
