/* SPDX-License-Identifier: MIT */
/* print.h - prints a GP instruction as one line of Tessera's assembly.
 *
 * In:      four 32-bit words with any content.
 * Out:     the slots in use, then "field.NAME VALUE" for each field that these slots do not set
 *          to its value. The line assembles to the same 128 bits. */
#ifndef ISA_GP_PRINT_H
#define ISA_GP_PRINT_H

#include "isa/gp/gp_isa.h"

/* Largest sizes in bytes, with the NUL, of a line and of a label in it. */
enum { GP_LINE_MAX = 2048, GP_LABEL_MAX = 256 };

/* Context of the instruction. Members that are not known are 0. */
struct gp_surroundings {
    /* words of the preceding instruction, which decide the name of load unit 0's earlier value */
    const uint32_t *previous;
    /* number of instructions in the program; a branch to a target outside is printed as fields */
    unsigned instructions;
    /* Returns the label of an instruction, or NULL. The pointer may be NULL. */
    const char *(*label)(void *user, unsigned instruction);
    void *user;
};

/* Writes the line, truncated to size bytes with the NUL. Returns the length of the complete
 * line. */
size_t gp_print_line(char *text, size_t size, const uint32_t words[GP_WORDS],
                     const struct gp_surroundings *around);

#endif
