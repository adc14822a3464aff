/* SPDX-License-Identifier: MIT */
/* operate.h - operators and functions of expressions: spelling, precedence and evaluation. */
#ifndef ASM_OPERATE_H
#define ASM_OPERATE_H

#include "asm/expr.h"

enum asm_operation {
    OP_POWER,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_MODULO,
    OP_ADD,
    OP_SUBTRACT,
    OP_LEFT,
    OP_RIGHT,
    OP_LEFT_LOGICAL,
    OP_RIGHT_LOGICAL,
    OP_ROTATE_LEFT_32,
    OP_ROTATE_RIGHT_32,
    OP_ROTATE_LEFT_64,
    OP_ROTATE_RIGHT_64,
    OP_LESS, /* first comparison */
    OP_LESS_EQUAL,
    OP_GREATER,
    OP_GREATER_EQUAL,
    OP_COMPARE,
    OP_EQUAL,
    OP_UNEQUAL, /* last comparison */
    OP_SAME,
    OP_DIFFERENT,
    OP_AND,
    OP_XOR,
    OP_XNOR,
    OP_OR,
    OP_BOTH, /* first of the logical operators */
    OP_ONE,
    OP_ONE_NOT,
    OP_EITHER,
};

struct asm_operator {
    const char *text;
    size_t length; /* of text */
    enum asm_operation operation;
    unsigned level; /* precedence; higher levels bind tighter */
};

/* Offset of an operator in the text, and the destination of its errors. */
struct asm_place {
    size_t offset;
    const struct asm_operands *operands; /* may be NULL */
    struct asm_error *error;
    bool dead; /* true if the result is not used; arithmetic errors are then ignored */
};

/* Returns the longest binary operator at the start of text, or NULL. */
const struct asm_operator *asm_operator_find(const char *text, size_t length);

/* Computes left = left operator right. */
bool asm_operate(const struct asm_operator *info, const struct asm_place *place,
                 struct asm_value *left, const struct asm_value *right);

/* Applies unary "+", "-", "~" or "!" to a value. */
bool asm_operate_unary(char operator, const struct asm_place * place, struct asm_value *value);

/* Returns a function that is written as an operator, such as "sin", or NULL if the name is
 * unknown. */
const struct asm_math *asm_math_find(const char *name, size_t length);

bool asm_math_apply(const struct asm_math *math, const struct asm_place *place,
                    struct asm_value *value);

/* Returns the name of function number i, or NULL after the last; used for suggestions. */
const char *asm_math_name(size_t i);

#endif
