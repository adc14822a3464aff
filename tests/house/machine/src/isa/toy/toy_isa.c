/* SPDX-License-Identifier: MIT */
/* toy_isa.c - see toy_isa.h. */
#include "isa/toy/toy_isa.h"

const struct toy_row toy_ops[TOY_OPS] = {
    [TOY_NOP] = {"nop", ""},  [TOY_SET] = {"set", "wn"}, [TOY_ADD] = {"add", "wrr"},
    [TOY_OUT] = {"out", "r"}, [TOY_END] = {"end", ""},
};

bool toy_decode(uint32_t word, struct toy_insn *insn)
{
    *insn = (struct toy_insn){.op = word >> 24};
    if (insn->op >= TOY_OPS)
        return false;
    for (unsigned i = 0; i < TOY_OPERANDS; i++)
        insn->operand[i] = (uint8_t)(word >> (16 - 8 * i));
    const char *kind = toy_ops[insn->op].operands;
    for (unsigned i = 0; kind[i]; i++)
        if (kind[i] != 'n' && insn->operand[i] >= TOY_REGISTERS)
            return false;
    return true;
}

uint32_t toy_encode(const struct toy_insn *insn)
{
    uint32_t word = (uint32_t)insn->op << 24;
    for (unsigned i = 0; i < TOY_OPERANDS; i++)
        word |= (uint32_t)insn->operand[i] << (16 - 8 * i);
    return word;
}
