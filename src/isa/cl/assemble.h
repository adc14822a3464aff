/* SPDX-License-Identifier: MIT */
/* assemble.h - control records, shader records, vertices and texture parameters as assembler
 * statements, for example "cl.clip_window width=640, height=480". Works with every instruction set
 * (struct asm_isa, member record). */
#ifndef ISA_CL_ASSEMBLE_H
#define ISA_CL_ASSEMBLE_H

#include "asm/asm.h"

/* Parses a statement, which starts with its name, and appends its bytes. address is the address of
 * the first byte. Returns ASM_NOT_MINE if the statement does not begin with "cl.", "shader.",
 * "vertex." or "uniform.". After an error, returns ASM_WRONG and fills *error. Even then, the right
 * number of bytes is appended, so that later addresses do not change. */
enum asm_taken cl_assemble(const char *text, size_t length, uint32_t address,
                           const struct asm_names *names, struct buffer *bytes,
                           struct asm_error *error);

#endif
