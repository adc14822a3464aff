/* SPDX-License-Identifier: MIT */
/* words.h - text for the fields of an instruction, shared by printer and explainer. */
#ifndef ISA_QPU_WORDS_H
#define ISA_QPU_WORDS_H

#include "base/text.h"
#include "isa/qpu/sides.h"

/* A row of ops.def. The functions return the row of an opcode, or NULL if the opcode is
 * reserved. */
struct qpu_op_words {
    const char *mnemonic, *words;
    unsigned sources;
};
const struct qpu_op_words *qpu_add_words(unsigned op);
const struct qpu_op_words *qpu_mul_words(unsigned op);

/* Writes a small immediate's value as a number, such as "0.25" or "-3". */
void qpu_put_small(struct text *output, unsigned field);

/* Returns the vector rotation of the word: 1 to 15 elements upwards, 0 for a rotation by
 * r5, or -1 for none. */
int qpu_rotation(const struct qpu_insn *insn);

#endif
