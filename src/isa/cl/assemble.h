/* SPDX-License-Identifier: MIT */
/* assemble.h - control records, shader records, vertices and texture parameters as statements of the assembler:
 * "cl.clip_window width=640, height=480". For any instruction set (struct asm_isa, member record). */
#ifndef ISA_CL_ASSEMBLE_H
#define ISA_CL_ASSEMBLE_H

#include "asm/asm.h"

/* Reads the statement, which starts with its name, and appends its bytes; address is where they will be.
 * ASM_NOT_MINE: it does not begin with "cl.", "shader.", "vertex." or "uniform.". ASM_WRONG fills *error; bytes of
 * the same number are appended all the same, so that what follows stays where it belongs. */
enum asm_taken cl_assemble(const char *text, size_t length, uint32_t address,
                           const struct asm_names *names, struct buffer *bytes,
                           struct asm_error *error);

#endif
