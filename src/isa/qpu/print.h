/* SPDX-License-Identifier: MIT */
/* print.h - the printer's parts, for the disassembler of whole files. */
#ifndef ISA_QPU_PRINT_H
#define ISA_QPU_PRINT_H

#include "isa/qpu/words.h"

/* Labels are shorter; longer ones are not used in lines. */
enum { QPU_LABEL_MAX = 200, QPU_DIFFERENCES_MAX = 24 };

/* A field that keeps a word from being written as a mnemonic. */
struct qpu_difference {
    const char *field;       /* as in fields.def */
    uint32_t value, written; /* in the word; what the assembler makes of the nearest line */
    bool reserved;           /* the manual gives the value no meaning; written says nothing */
};
struct qpu_differences {
    size_t count; /* 0: the assembler refuses every line */
    struct qpu_difference items[QPU_DIFFERENCES_MAX];
    char message[200]; /* why it refuses the first one */
};

/* Writes one line without a comment. label_at gives the name of the label at an address, or NULL; it may be NULL itself.
 * Returns whether the line assembles to exactly this word; otherwise it is only the nearest one. */
bool qpu_print_line(char *text, size_t size, uint64_t word, uint32_t address,
                    const char *(*label_at)(void *user, uint32_t address), void *user);

/* Why no mnemonic expresses a word, if qpu_print_line() says so. */
void qpu_find_differences(uint64_t word, struct qpu_differences *found);

/* The codes of the word that the manual reserves; false if there are none. */
bool qpu_find_reserved(uint64_t word, struct qpu_differences *found);

/* The reason as a text: "unused mul_a mux is 6 where the assembler writes 0, ...". */
void qpu_put_reason(struct text *output, uint64_t word, const struct qpu_differences *found);

/* Whether the word is a branch to an address that the word alone tells, and which. */
bool qpu_branch_target(uint64_t word, uint32_t address, uint32_t *target);

#endif
