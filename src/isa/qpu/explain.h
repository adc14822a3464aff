/* SPDX-License-Identifier: MIT */
/* explain.h - the explainer's parts, for output that is not text. */
#ifndef ISA_QPU_EXPLAIN_H
#define ISA_QPU_EXPLAIN_H

#include "isa/qpu/words.h"

struct qpu_field {
    const char *name; /* as in fields.def */
    uint32_t value;
    unsigned high, low; /* bits of the word */
    const char *meaning;
};

/* Calls visit for every field of the word, from the lowest bit up; what it gets lives during the call. */
void qpu_each_field(uint64_t word, void (*visit)(void *user, const struct qpu_field *field),
                    void *user);

/* The plain-language comment alone, several lines. Returns the whole text's length. */
size_t qpu_comment(char *text, size_t size, uint64_t word, uint32_t address);

/* What the instruction does beside its arithmetic: a line "- ..." for each peripheral, signal, delay and condition. */
void qpu_put_notes(struct qpu_output *output, const struct qpu_insn *insn, uint32_t address);

#endif
