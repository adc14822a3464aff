/* SPDX-License-Identifier: MIT */
/* words.c - text for the fields of an instruction, shared by printer and explainer.
 *
 * In:  opcodes and immediates.
 * Out: the mnemonics and descriptions of ops.def (manual, tables 12 and 13), and numbers
 *      (table 5). */
#include "isa/qpu/words.h"

#include "base/bits.h"

#define ADD_OP(code, NAME, mnemonic, sources, is_float, words) [code] = {mnemonic, words, sources},
static const struct qpu_op_words add_words[32] = {
#include "isa/qpu/ops.def"
};
#define MUL_OP(code, NAME, mnemonic, sources, is_float, words) [code] = {mnemonic, words, sources},
static const struct qpu_op_words mul_words[8] = {
#include "isa/qpu/ops.def"
};

const struct qpu_op_words *qpu_add_words(unsigned op)
{
    return add_words[op & 31].mnemonic ? &add_words[op & 31] : NULL;
}

const struct qpu_op_words *qpu_mul_words(unsigned op)
{
    return &mul_words[op & 7];
}

void qpu_put_small(struct text *output, unsigned field)
{
    uint32_t value = qpu_small_immediate(field);
    if (field < 32 || field > 47)
        text_put(output, "%d", (int)(int32_t)value);
    else
        text_put(output, field < 40 ? "%.1f" : "%.9g", (double)bits_float(value));
}

int qpu_rotation(const struct qpu_insn *insn)
{
    return qpu_selects_rotation(insn) ? insn->raddr_b - QPU_ROTATE_BY_R5 : -1;
}
