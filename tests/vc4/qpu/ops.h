/* SPDX-License-Identifier: MIT */
/* ops.h - finds the QPU operations by their names in the captured tables. */
#ifndef TESTS_VC4_OPS_H
#define TESTS_VC4_OPS_H

#include <stddef.h>
#include <string.h>

#include "isa/qpu/qpu_isa.h"
#include "vc4/qpu/alu.h"

struct named_op {
    const char *name;
    bool mul;
    unsigned code;
};

static const struct named_op named_ops[] = {
#define ADD_OP(code, NAME, mnemonic, sources, is_float, words) {mnemonic, false, code},
#define MUL_OP(code, NAME, mnemonic, sources, is_float, words) {mnemonic, true, code},
#include "isa/qpu/ops.def"
};

enum { NAMED_OPS = sizeof named_ops / sizeof named_ops[0] };

static inline const struct alu_op *op_of(const struct named_op *named)
{
    return named->mul ? &alu_mul_ops[named->code] : &alu_add_ops[named->code];
}

static inline const struct named_op *find_op(const char *name)
{
    for (size_t i = 0; i < NAMED_OPS; i++)
        if (strcmp(named_ops[i].name, name) == 0)
            return &named_ops[i];
    return NULL;
}

#endif
