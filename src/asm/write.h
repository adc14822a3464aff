/* SPDX-License-Identifier: MIT */
/* write.h - an assembled program as a file's bytes. */
#ifndef ASM_WRITE_H
#define ASM_WRITE_H

#include <tessera/isa.h>

#include "asm/asm.h"

/* A file to be written. Zero what you do not care about; texts are used during the call only. */
struct asm_output {
    enum tess_asm_format format;
    const char *name;   /* of the file, from which symbols and include guards are named */
    const char *header; /* what a C file includes; NULL: named like the file, ending in ".h" */
    const char *source; /* name of the first source */
    bool comments;      /* offsets, labels and source lines in TESS_ASM_HEX and TESS_ASM_C_FILE */
    bool no_symbols;    /* only what .global names, in TESS_ASM_OBJECT and TESS_ASM_HEADER_EXTERN */

    /* TESS_ASM_OBJECT: the same program, assembled at asm_moved_address(); the difference tells where
     * addresses are. NULL: that did not succeed. */
    const struct asm_program *moved;
};

/* Another address where program could stand: a multiple of its alignment that is no multiple of much more, so that
 * whatever is computed from an address differs. */
uint32_t asm_moved_address(const struct asm_program *program);

/* Writes program in a format; *out is to be freed with buffer_free(). What cannot be written is
 * reported to sink. Errors: TESS_WRONG, TESS_NO_MEMORY. */
enum tess_status asm_write(const struct asm_program *program, const struct asm_output *output,
                           struct tess_sink sink, struct buffer *out);

/* Writes program as a scene: TESS_ASM_ELF. *out is to be freed with buffer_free(). Errors:
 * TESS_NO_MEMORY. */
enum tess_status asm_write_scene(const struct asm_program *program, struct buffer *out);

#endif
