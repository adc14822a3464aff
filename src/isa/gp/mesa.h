/* SPDX-License-Identifier: MIT */
/* mesa.h - a GP instruction in the style of Mesa's printer. */
#ifndef ISA_GP_MESA_H
#define ISA_GP_MESA_H

#include "base/buffer.h"
#include "isa/gp/gp_isa.h"

/* Appends the lines of instruction number of a program. before is the instruction in front of it, NULL for the first: then
 * the idle one counts. */
void gp_put_mesa(struct buffer *out, const struct gp_insn *insn, const struct gp_insn *before,
                 unsigned number);

#endif
