/* SPDX-License-Identifier: MIT */
/* operand.h - operands of GP instructions as text: "attr.x", "acc0[-1]", "complex[-1]", "ident".
 *
 * In:      text, or a source code of the instruction word.
 * Out:     the code, or the text. docs/isa/gp.md has the table of all operands. */
#ifndef ISA_GP_OPERAND_H
#define ISA_GP_OPERAND_H

#include "asm/expr.h"
#include "isa/gp/facts.h"

/* Reads the operand, without a sign, at text[*at]. Moves *at to the first nonblank after the
 * operand. Sets *unknown if the operand's code depends on a value that is still unknown. */
bool gp_operand_read(const char *text, size_t length, size_t *at, enum gp_place place,
                     const struct asm_names *names, unsigned *code, bool *unknown,
                     struct asm_error *error);

enum { GP_OPERAND_TEXT = 16 };

/* Writes the operand with a code. attribute is true if load unit 0 loads an attribute in the
 * instruction that produced the operand. */
void gp_operand_text(char text[GP_OPERAND_TEXT], unsigned code, enum gp_place place,
                     bool attribute);

/* Returns the first word of the operand with the given index, or NULL after the last operand. Used
 * to suggest a name after a spelling mistake. */
const char *gp_operand_name(size_t index);

#endif
