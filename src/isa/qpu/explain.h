/* SPDX-License-Identifier: MIT */
/* explain.h - the explainer's parts, for output that is not text. */
#ifndef ISA_QPU_EXPLAIN_H
#define ISA_QPU_EXPLAIN_H

#include "isa/dis_isa.h"
#include "isa/qpu/words.h"

/* Calls visit for every field of the word, from the lowest bit up; what it gets lives during the call. */
void qpu_each_field(uint64_t word, dis_field_visitor *visit, void *user);

/* The plain-language comment alone, several lines. Returns the whole text's length. */
size_t qpu_comment(char *text, size_t size, uint64_t word, uint32_t address);

/* What the instruction does beside its arithmetic: a line "- ..." for each peripheral, signal, delay and condition. */
void qpu_put_notes(struct text *output, const struct qpu_insn *insn, uint32_t address);

#endif
