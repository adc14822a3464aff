/* SPDX-License-Identifier: MIT */
/* directives.h - the directives that name the inputs and outputs of a GP program: .attribute,
 * .varying, .uniform, .constant, .temporary.
 *
 * In:      a directive and its arguments.
 * Out:     the name as a constant of the assembler, and a line of the ".tessera" section, which
 *          interface.c reads:
 *              attribute NAME NUMBER COMPONENTS
 *              varying NAME NUMBER COMPONENTS
 *              uniform NAME FIRST_ROW ROWS
 *              temporary NAME FIRST_ROW ROWS
 *              constant NAME ROW 0xBITS 0xBITS 0xBITS 0xBITS */
#ifndef ISA_GP_DIRECTIVES_H
#define ISA_GP_DIRECTIVES_H

#include "asm/asm.h"
#include "isa/gp/gp_isa.h"

enum { GP_NAME_SHOWN = 32 };

/* For each attribute, varying and row, the name that a directive of this pass has given to it. An
 * empty string means that it has no name yet. Names are truncated to the size of the arrays. */
struct gp_owners {
    char attributes[GP_ATTRIBUTES][GP_NAME_SHOWN];
    char varyings[GP_VARYINGS][GP_NAME_SHOWN];
    char rows[GP_ROWS][GP_NAME_SHOWN];
    unsigned next_row; /* row after the last row that was assigned automatically */
};

enum asm_taken gp_directive(struct gp_owners *owners, const struct asm_directive *directive,
                            struct asm_error *error);

/* Returns the name of directive index without its dot, or NULL after the last directive. */
const char *gp_directive_name(size_t index);

#endif
