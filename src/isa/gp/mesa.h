/* SPDX-License-Identifier: MIT */
/* mesa.h - prints a GP instruction in the notation of Mesa's disassembler. */
#ifndef ISA_GP_MESA_H
#define ISA_GP_MESA_H

#include "base/buffer.h"
#include "isa/gp/gp_isa.h"

/* Appends the lines of one instruction. `number` is the instruction's number in the program.
 * `before` is the preceding instruction, or NULL for the first instruction, which is printed as if
 * an idle instruction preceded it. */
void gp_put_mesa(struct buffer *out, const struct gp_insn *insn, const struct gp_insn *before,
                 unsigned number);

#endif
