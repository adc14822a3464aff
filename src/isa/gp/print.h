/* SPDX-License-Identifier: MIT */
/* print.h - prints a GP instruction as one line of Tessera's assembly.
 *
 * In:      four 32-bit words with any content.
 * Out: the slots in use, then "field.NAME VALUE" for each field whose value differs from the value
 *      that the slots set. The line assembles to the same 128 bits. */
#ifndef ISA_GP_PRINT_H
#define ISA_GP_PRINT_H

#include "base/buffer.h"
#include "isa/gp/gp_isa.h"
#include "isa/operation_list.h"

/* Sizes in bytes, including the NUL, of the longest line and of the longest label in a line. */
enum { GP_LINE_MAX = 2048, GP_LABEL_MAX = 256 };

/* Context of the instruction. Members that are not known are 0. */
struct gp_surroundings {
    /* words of the preceding instruction, which determine if load unit 0's earlier value is named
     * attr[-1] or reg0[-1] */
    const uint32_t *previous;
    /* number of instructions in the program; a branch to a target outside of the program is printed
     * as fields */
    unsigned instructions;
    /* Returns the label of an instruction, or NULL. The pointer may be NULL. */
    const char *(*label)(void *user, unsigned instruction);
    void *user;
    struct operation_list *operations; /* receives the slots and their operands; may be NULL */
};

/* Writes the line, truncated to size bytes including the NUL. Returns the length of the line before
 * truncation. */
size_t gp_print_line(char *text, size_t size, const uint32_t words[GP_WORDS],
                     const struct gp_surroundings *around);

/* Appends the lines of one instruction in the notation of Mesa's disassembler (mesa.c). `number` is
 * the instruction's number in the program. `before` is the preceding instruction, or NULL for the
 * first instruction, which is printed as if an idle instruction preceded it. */
void gp_put_mesa(struct buffer *out, const struct gp_insn *insn, const struct gp_insn *before,
                 unsigned number);

#endif
