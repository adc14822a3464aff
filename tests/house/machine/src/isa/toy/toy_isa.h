/* SPDX-License-Identifier: MIT */
/* toy_isa.h - the words of the toy machine: bits 31:24 are the operation, 23:16, 15:8 and 7:0 its
 * operands. */
#ifndef ISA_TOY_TOY_ISA_H
#define ISA_TOY_TOY_ISA_H

#include <stdbool.h>
#include <stdint.h>

enum toy_op { TOY_NOP, TOY_SET, TOY_ADD, TOY_OUT, TOY_END, TOY_OPS };

enum { TOY_REGISTERS = 8, TOY_OPERANDS = 3 };

/* An operation. operands has a letter for each: w a written register, r a read one, n a number. */
struct toy_row {
    const char *name, *operands;
};
extern const struct toy_row toy_ops[TOY_OPS];

struct toy_insn {
    enum toy_op op;
    uint8_t operand[TOY_OPERANDS];
};

/* Returns false if the word is no instruction. */
bool toy_decode(uint32_t word, struct toy_insn *insn);

uint32_t toy_encode(const struct toy_insn *insn);

#endif
