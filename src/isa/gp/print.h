/* SPDX-License-Identifier: MIT */
/* print.h - an instruction of the GP as one line of our assembly.
 *
 * In:      four 32-bit words, any.
 * Out:     the slots in use, then "field.NAME VALUE" for each field that is not as these slots leave it: the line
 *          assembles to the same 128 bits. */
#ifndef ISA_GP_PRINT_H
#define ISA_GP_PRINT_H

#include "isa/gp/gp_isa.h"

enum {
    GP_LINE_MAX = 2048,
    GP_LABEL_MAX = 256
}; /* bytes with the NUL: of any line, and of a label that it may have */

/* What is around the instruction. Zero what is not known. */
struct gp_surroundings {
    const uint32_t *previous; /* words of the instruction before: whether it loaded an attribute */
    unsigned instructions;    /* of the program: a branch that leaves it is no branch slot */
    const char *(*label)(void *user, unsigned instruction); /* the name of a place; or NULL */
    void *user;
};

/* Writes the line, cut at size, and a NUL. Returns its whole length. */
size_t gp_print_line(char *text, size_t size, const uint32_t words[GP_WORDS],
                     const struct gp_surroundings *around);

#endif
