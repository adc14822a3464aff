/* SPDX-License-Identifier: MIT */
/* code.h - machine code from a file, as the disassembler and the checker read it.
 *
 * In:  a file's bytes: raw little-endian words, hexadecimal text, a C array, an ELF file (a scene or a relocatable
 *      object), an MBS file (code for the GP), a listing with words in front, or a shader container of the Xenos (programs of the A2xx).
 * Out: segments of bytes at bus addresses, symbols, and what the file says about code, data and source lines; of a scene
 *      also what it does. */
#ifndef ISA_CODE_H
#define ISA_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/tessera.h>

enum code_format { CODE_AUTO, CODE_RAW, CODE_HEX, CODE_C, CODE_ELF, CODE_MBS, CODE_LISTING, CODE_XENOS };

/* What a byte range is, as far as the file or the user knows. */
enum code_content { CODE_UNKNOWN, CODE_INSTRUCTIONS, CODE_DATA };

struct code_range {
    uint32_t address, size;
    enum code_content content;
};

struct code_segment {
    uint32_t address;
    uint8_t *bytes;
    size_t size;
    char *name; /* of the section; NULL if there is none */
};

struct code_symbol {
    char *name;
    uint32_t address;
    bool global;
};

/* From address on, up to the next one. line is 0 where no source begins. */
struct code_line {
    uint32_t address, line, column; /* column: 0 if the file does not say */
    const char *file;               /* belongs to the image */
};

/* Zero-initialise it, free it with code_free(). Everything is sorted by address. */
struct code_image {
    enum code_format format; /* as found */
    struct code_segment *segments;
    size_t segment_count;
    struct code_symbol *symbols;
    size_t symbol_count;
    struct code_range *ranges;
    size_t range_count;
    struct code_line *lines;
    size_t line_count;
    char **files;
    size_t file_count;
    /* Of scenes: memory that begins as zero and is not stored (disjoint; in no segment), absolute symbols, and the text of
     * ".tessera", or NULL. An MBS file has the text, too: its symbols as lines of an interface (gp/interface.h). */
    struct code_range *reserves;
    size_t reserve_count;
    struct code_symbol *constants; /* address is the value */
    size_t constant_count;
    char *steps;
};

/* How a file is to be read. Zero every member that you do not care about. */
struct code_options {
    enum code_format format; /* CODE_AUTO looks at the content */
    const char *name;        /* for diagnostics */
    uint32_t base;           /* the address of formats that have none */
    uint32_t alignment; /* of instructions: where arrays and sections without an address begin; 0: 8 */
};

/* Reads data. Errors: TESS_WRONG (the sink has the reasons), TESS_NO_MEMORY. *image must be freed in any case. */
enum tess_status code_read(const void *data, size_t size, const struct code_options *options,
                           struct tess_sink sink, struct code_image *image);

void code_free(struct code_image *image);

/* The source line that an address comes from, or NULL. Belongs to the image. */
const struct code_line *code_line_at(const struct code_image *image, uint32_t address);

#endif
