/* SPDX-License-Identifier: MIT */
/* program_read.h - reads a program from a file, for the models that run a program over data. Used
 * for every machine.
 *
 * In:  a source, which is assembled to ELF first; or machine code in any format that code.h reads.
 * Out: the words of the code, in order of address; the file's image with labels and lines; the
 *      interface in the section ".tessera".
 *
 * A program is one piece of code without gaps. Ranges that mapping symbols declare as data do not
 * belong to the program. */
#ifndef PROGRAM_PROGRAM_READ_H
#define PROGRAM_PROGRAM_READ_H

#include <tessera/isa.h>

#include "code/code.h"
#include "isa/interface_read.h"

/* Properties of a machine's programs, and the texts of diagnostics about them. Strings are
 * static. */
struct program_kind {
    enum tess_machine machine;
    const char *unit;               /* name of a unit in diagnostics, such as "instruction" */
    uint32_t bytes, most;           /* bytes of a unit; largest number of units in a program */
    const char *gap, *empty, *size; /* rule ids of the diagnostics */
    const char *bytes_hint, *most_hint;
    const struct interface_kind *interface;
};

struct program_file {
    uint32_t *words;
    size_t units;
    uint32_t address; /* address of unit 0 in the file */
    struct code_image image;
    struct interface_lines interface;
};

/* Reads a file. options are those of the assembler, or NULL. name is the name in diagnostics, or
 * NULL. Returns TESS_OK, TESS_WRONG (after mistakes in a source), TESS_BAD_INPUT or TESS_NO_MEMORY.
 * *file must be freed in every case. */
enum tess_status program_file_read(struct program_file *file, const struct program_kind *kind,
                                   const void *bytes, size_t size, const char *name,
                                   const struct tess_asm_options *options, struct tess_sink sink);

/* Sets *file to a copy of the words of `units` units. Returns false if the host is out of
 * memory. */
bool program_file_take(struct program_file *file, const struct program_kind *kind,
                       const uint32_t *words, size_t units);

void program_file_free(struct program_file *file);

/* Returns the source line of a byte of a unit, or NULL if unknown. bytes is the size of a unit, and
 * within is the offset of the byte in the unit. file may be NULL. */
const struct code_line *program_file_place(const struct program_file *file, size_t unit,
                                           size_t bytes, size_t within);

/* Like program_file_place(), but stores the file name and line. Stores NULL and 0 if the line is
 * unknown. name and line may be NULL. */
void program_file_line(const struct program_file *file, size_t unit, size_t bytes, size_t within,
                       const char **name, uint32_t *line);

#endif
