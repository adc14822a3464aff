/* SPDX-License-Identifier: MIT */
/* explain.h - functions of the explainer for output in formats other than text. */
#ifndef ISA_QPU_EXPLAIN_H
#define ISA_QPU_EXPLAIN_H

#include "isa/dis_isa.h"
#include "isa/qpu/words.h"

/* Calls visit for every field of the word, from the lowest bit up. The visitor's argument is valid
 * during the call only. */
void qpu_each_field(uint64_t word, dis_field_visitor *visit, void *user);

/* Writes only the plain-language comment, which has several lines. Returns the length of the whole
 * text. */
size_t qpu_comment(char *text, size_t size, uint64_t word, uint32_t address);

/* Writes the effects of the instruction besides arithmetic: a line "- ..." for each peripheral,
 * signal, delay and condition. */
void qpu_put_notes(struct text *output, const struct qpu_insn *insn, uint32_t address);

#endif
