/* SPDX-License-Identifier: MIT */
/* write.h - writes an assembled program in a file format. */
#ifndef ASM_WRITE_H
#define ASM_WRITE_H

#include <tessera/isa.h>

#include "asm/asm.h"

/* The file to write. Zero unused members. The texts are only used during the call. */
struct asm_output {
    enum tess_asm_format format;
    const char *name;   /* name of the file, used for symbols and include guards */
    const char *header; /* file that a C file includes, NULL for NAME.h */
    const char *source; /* name of the first source */
    /* True to write offsets, labels and source lines in TESS_ASM_HEX and TESS_ASM_C_FILE. */
    bool comments;
    /* True to write only symbols from .global in TESS_ASM_OBJECT and TESS_ASM_HEADER_EXTERN. */
    bool no_symbols;

    /* For TESS_ASM_OBJECT: the same program assembled at asm_moved_address(). Words that differ
     * contain addresses. NULL if that assembly failed. */
    const struct asm_program *moved;
};

/* Returns a second address at which the program may be assembled. The address is a multiple of the
 * program's alignment but not of a much larger power of two, so that every value computed from an
 * address differs. */
uint32_t asm_moved_address(const struct asm_program *program);

/* Writes program in a format. The caller frees *out with buffer_free(). Content that the format
 * cannot represent is reported to sink. Errors: TESS_WRONG, TESS_NO_MEMORY. */
enum tess_status asm_write(const struct asm_program *program, const struct asm_output *output,
                           struct tess_sink sink, struct buffer *out);

/* Writes program as a scene (TESS_ASM_ELF). The caller frees *out with buffer_free(). Errors:
 * TESS_NO_MEMORY. */
enum tess_status asm_write_scene(const struct asm_program *program, struct buffer *out);

#endif
