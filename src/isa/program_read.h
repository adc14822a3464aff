/* SPDX-License-Identifier: MIT */
/* program_read.h - programs that are run over data, from files, whichever the machine.
 *
 * In:  a source, which is assembled to ELF first; or machine code in any form that code.h reads.
 * Out: words, numbered from the lowest address of code; the file's image with labels, lines and the text of ".tessera".
 *
 * A program is one piece of code without gaps. What a file's mapping symbols call data is none of it. */
#ifndef ISA_PROGRAM_READ_H
#define ISA_PROGRAM_READ_H

#include <tessera/isa.h>

#include "isa/code.h"

/* What a machine's programs are. Strings are static. */
struct program_kind {
    enum tess_machine machine;
    const char *unit;               /* "instruction" */
    uint32_t bytes, most;           /* of a unit; units of a program */
    const char *gap, *empty, *size; /* ids of the diagnostics */
    const char *bytes_hint, *most_hint;
};

struct program_file {
    uint32_t *words;
    size_t units;
    uint32_t address; /* of unit 0, in the file */
    struct code_image image;
};

/* Reads a file. options, of the assembler, may be NULL. Errors: TESS_WRONG (mistakes in a source), TESS_BAD_INPUT,
 * TESS_NO_MEMORY. *file must be freed in any case. */
enum tess_status program_file_read(struct program_file *file, const struct program_kind *kind,
                                   const void *bytes, size_t size, const char *name,
                                   const struct tess_asm_options *options, struct tess_sink sink);

void program_file_free(struct program_file *file);

/* The line that a byte within a unit of so many bytes comes from; NULL: not known. file may be NULL. */
const struct code_line *program_file_place(const struct program_file *file, size_t unit,
                                           size_t bytes, size_t within);

/* The same; *name NULL and *line 0 if that is not known. Either may be NULL. */
void program_file_line(const struct program_file *file, size_t unit, size_t bytes, size_t within,
                       const char **name, uint32_t *line);

#endif
