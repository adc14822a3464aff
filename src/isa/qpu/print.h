/* SPDX-License-Identifier: MIT */
/* print.h - functions of the printer and explainer that the disassembler of whole files uses. */
#ifndef ISA_QPU_PRINT_H
#define ISA_QPU_PRINT_H

#include "isa/dis_isa.h"
#include "isa/qpu/sides.h"

/* Labels of QPU_LABEL_MAX or more characters are not used in lines. */
enum { QPU_LABEL_MAX = 200, QPU_DIFFERENCES_MAX = 24 };

/* A field whose value no assembly line produces. */
struct qpu_difference {
    const char *field;       /* name in fields.def */
    uint32_t value, written; /* value: the field in the word; written: the field in the word that
                              * the nearest line assembles to */
    bool reserved;           /* the manual reserves the value; written has no meaning */
};
struct qpu_differences {
    size_t count; /* 0 if the assembler rejects every line */
    struct qpu_difference items[QPU_DIFFERENCES_MAX];
    char message[200]; /* the assembler's message about the first line that it rejects */
};

/* Writes one line without a comment. label_at returns the name of the label at an address, or NULL;
 * the pointer itself may be NULL. Returns true if the line assembles to exactly this word. Returns
 * false if the line is only the nearest one. */
bool qpu_print_line(char *text, size_t size, uint64_t word, uint32_t address,
                    const char *(*label_at)(void *user, uint32_t address), void *user);

/* Finds the fields that no mnemonic expresses, if qpu_print_line() returned false. */
void qpu_find_differences(uint64_t word, struct qpu_differences *found);

/* Finds reserved codes in the word. Returns false if there are none. */
bool qpu_find_reserved(uint64_t word, struct qpu_differences *found);

/* Writes the reason as text: "unused mul_a mux is 6 where the assembler writes 0, ...". */
void qpu_put_reason(struct text *output, uint64_t word, const struct qpu_differences *found);

/* If the word is a branch without a register, stores its target in *target and returns true. */
bool qpu_branch_target(uint64_t word, uint32_t address, uint32_t *target);

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
