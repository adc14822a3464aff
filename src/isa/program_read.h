/* SPDX-License-Identifier: MIT */
/* program_read.h - reads a program that a model runs over data from a file, for every machine.
 *
 * In:  a source, which is assembled to ELF first; or machine code in any format that code.h reads.
 * Out: words, numbered from the lowest address of code; the file's image with labels, lines and the
 *      text of ".tessera".
 *
 * A program is one piece of code without gaps. Ranges that mapping symbols declare as
 * data are excluded. */
#ifndef ISA_PROGRAM_READ_H
#define ISA_PROGRAM_READ_H

#include <tessera/isa.h>

#include "isa/code.h"

/* The form of a machine's programs. Strings are static. */
struct program_kind {
    enum tess_machine machine;
    const char *unit;               /* name of a unit in diagnostics, such as "instruction" */
    uint32_t bytes, most;           /* bytes of a unit; largest number of units in a program */
    const char *gap, *empty, *size; /* rule ids of the diagnostics */
    const char *bytes_hint, *most_hint;
};

struct program_file {
    uint32_t *words;
    size_t units;
    uint32_t address; /* address of unit 0 in the file */
    struct code_image image;
};

/* Reads a file. options are those of the assembler, or NULL. Returns TESS_OK, TESS_WRONG (after
 * mistakes in a source), TESS_BAD_INPUT or TESS_NO_MEMORY. *file must be freed in every case. */
enum tess_status program_file_read(struct program_file *file, const struct program_kind *kind,
                                   const void *bytes, size_t size, const char *name,
                                   const struct tess_asm_options *options, struct tess_sink sink);

void program_file_free(struct program_file *file);

/* Returns the source line of byte `within` of a unit, which has `bytes` bytes. Returns NULL if
 * unknown. file may be NULL. */
const struct code_line *program_file_place(const struct program_file *file, size_t unit,
                                           size_t bytes, size_t within);

/* Like program_file_place(), but stores the file name and line. They become NULL and 0 if unknown.
 * name and line may be NULL. */
void program_file_line(const struct program_file *file, size_t unit, size_t bytes, size_t within,
                       const char **name, uint32_t *line);

#endif
