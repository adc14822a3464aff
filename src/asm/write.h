/* SPDX-License-Identifier: MIT */
/* write.h - an assembled program as a file's bytes. */
#ifndef ASM_WRITE_H
#define ASM_WRITE_H

#include <tessera/isa.h>

#include "asm/asm.h"

/* Writes program in a format; *out is to be freed with buffer_free(). What cannot be written is
 * reported to sink. Errors: TESS_WRONG, TESS_NO_MEMORY. */
enum tess_status asm_write(const struct asm_program *program, enum tess_asm_format format,
                           struct tess_sink sink, struct buffer *out);

/* The ELF writer: elf.c. */
void asm_write_elf(const struct asm_program *program, struct buffer *out);

#endif
