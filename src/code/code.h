/* SPDX-License-Identifier: MIT */
/* code.h - reads machine code from a file, for the disassembler and the checker.
 *
 * In:  a file's bytes: raw little-endian words, hexadecimal text, a C array, an ELF file (a scene
 *      or a relocatable object), an MBS file (code for the GP), a listing with words at the start
 *      of lines, or a shader container of the Xenos (programs of the A2xx).
 * Out: segments of bytes at bus addresses, symbols, and the file's information about code, data and
 *      source lines. For a scene, also its steps. */
#ifndef CODE_CODE_H
#define CODE_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/tessera.h>

enum code_format {
    CODE_AUTO,
    CODE_RAW,
    CODE_HEX,
    CODE_C,
    CODE_ELF,
    CODE_MBS,
    CODE_LISTING,
    CODE_XENOS
};

/* Kind of the bytes in a range. The file or the user specifies the kind; CODE_UNKNOWN means that
 * neither does. */
enum code_content { CODE_UNKNOWN, CODE_INSTRUCTIONS, CODE_DATA };

struct code_range {
    uint32_t address, size;
    enum code_content content;
};

struct code_segment {
    uint32_t address;
    uint8_t *bytes;
    size_t size;
    char *name; /* name of the section, or NULL */
};

struct code_symbol {
    char *name;
    uint32_t address;
    bool global;
};

/* A row of the line table: the source line of the code from address up to the address of the next
 * row. line is 0 if the code has no source line. */
struct code_line {
    uint32_t address, line, column; /* column: 0 if unknown */
    const char *file;               /* owned by the image */
};

/* Must be zero-initialised. Free it with code_free(). All arrays are sorted by address. */
struct code_image {
    enum code_format format; /* format of the file, given or detected */
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
    /* For scenes: ranges of zero-filled memory whose contents the file does not store, absolute
     * symbols, and the text of the section ".tessera" or NULL. The ranges overlap neither each
     * other nor the segments. For an MBS file, steps has the file's symbols as lines of an
     * interface (gp/interface.c). */
    struct code_range *reserves;
    size_t reserve_count;
    struct code_symbol *constants; /* the field address has the value of the constant */
    size_t constant_count;
    char *steps;
};

/* Options for reading a file. Members that are not needed must be zero. */
struct code_options {
    enum code_format format; /* CODE_AUTO detects the format from the content */
    const char *name;        /* file name in diagnostics */
    uint32_t base;           /* address of the first byte of code in formats without addresses */
    uint32_t alignment; /* alignment of arrays and sections without an address, in bytes; 0 means
                         * 8 */
};

/* Reads data. Returns TESS_OK, TESS_WRONG (after reporting the reasons to sink) or TESS_NO_MEMORY.
 * *image must be freed in every case. */
enum tess_status code_read(const void *data, size_t size, const struct code_options *options,
                           struct tess_sink sink, struct code_image *image);

void code_free(struct code_image *image);

/* Returns the source line of an address, or NULL. The result is owned by the image. */
const struct code_line *code_line_at(const struct code_image *image, uint32_t address);

#endif
