/* SPDX-License-Identifier: MIT */
/* operand.h - what slots of the GP read, as text: "attr.x", "acc0[-1]", "complex[-1]", "ident".
 *
 * In:      text, or a source code of the instruction word.
 * Out:     the code, or the text. docs/isa/gp.md has the table of all operands. */
#ifndef ISA_GP_OPERAND_H
#define ISA_GP_OPERAND_H

#include "asm/expr.h"
#include "isa/gp/gp_isa.h"

/* Where an operand stands. */
enum gp_place {
    GP_FIRST,  /* code 22 is the complex unit's result */
    GP_SECOND, /* of a multiplier or accumulator: code 22 is the identity */
    GP_STORED, /* behind a store: a result of the same instruction */
};

/* Reads the operand that starts at text[*at], without a sign, and moves *at behind it and the blanks that follow. *unknown
 * is set if its code depends on a value that is not known yet. */
bool gp_operand_read(const char *text, size_t length, size_t *at, enum gp_place place,
                     const struct asm_names *names, unsigned *code, bool *unknown,
                     struct asm_error *error);

enum { GP_OPERAND_TEXT = 16 };

/* Writes the operand that reads back as code. attribute: load unit 0 loads an attribute, in the instruction that the
 * code refers to. */
void gp_operand_text(char text[GP_OPERAND_TEXT], unsigned code, enum gp_place place,
                     bool attribute);

/* The words that operands begin with, for suggestions; NULL behind the last one. */
const char *gp_operand_name(size_t index);

#endif
