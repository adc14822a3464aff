/* SPDX-License-Identifier: MIT */
/* words.h - text for the fields of an instruction, shared by printer and explainer. */
#ifndef ISA_QPU_WORDS_H
#define ISA_QPU_WORDS_H

#include "base/text.h"
#include "isa/qpu/qpu_isa.h"

/* Rows of ops.def; NULL if the opcode is reserved. */
struct qpu_op_words {
    const char *mnemonic, *words;
    unsigned sources;
};
const struct qpu_op_words *qpu_add_words(unsigned op);
const struct qpu_op_words *qpu_mul_words(unsigned op);

/* "0.25", "-3": a small immediate's value as a number. */
void qpu_put_small(struct text *output, unsigned field);

/* Vector rotation of the word, elements upwards, 0 by r5; or -1. */
int qpu_rotation(const struct qpu_insn *insn);

#endif
