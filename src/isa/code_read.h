/* SPDX-License-Identifier: MIT */
/* code_read.h - what the readers of code.c share: an image that grows. */
#ifndef ISA_CODE_READ_H
#define ISA_CODE_READ_H

#include <stdarg.h>

#include "base/buffer.h"
#include "isa/code.h"

struct code_reader {
    const uint8_t *bytes;
    size_t size;
    const char *name;
    uint32_t base;      /* where the next segment without an address goes */
    uint32_t alignment; /* of such segments, a power of two */
    struct tess_sink sink;
    struct code_image *image;
};

/* Each takes the whole file. Errors: TESS_WRONG (reported), TESS_NO_MEMORY. */
enum tess_status code_read_c(struct code_reader *reader);
enum tess_status code_read_hex(struct code_reader *reader);
enum tess_status code_read_elf(struct code_reader *reader);
enum tess_status code_read_mbs(struct code_reader *reader);
enum tess_status code_read_listing(struct code_reader *reader);
enum tess_status code_read_xenos(struct code_reader *reader);

/* The words of a shader container become its microcode; others stay what they are. */
void code_unpack_xenos(struct buffer *words);

/* Whether a text has a brace outside of its comments. */
bool code_has_brace(const struct code_reader *reader);

/* Whether a text has a line of a listing with the words of an instruction in front. */
bool code_is_listing(const struct code_reader *reader);

/* Whether a text is a module that VC4C wrote; whether a text has lines of words; and notes which words of such a module are
 * instructions, after code_read_hex(). */
bool code_is_vc4c(const struct code_reader *reader);
bool code_has_words(const struct code_reader *reader);
enum tess_status code_mark_vc4c(struct code_reader *reader);

/* Reports an error; line and column are 0 if they say nothing. Returns TESS_WRONG. */
enum tess_status code_refuse(const struct code_reader *reader, const char *rule, uint32_t line,
                             size_t column, const char *hint, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* The bytes go over to the image, even after a failure; the name is copied. Nothing is added if there are no bytes. */
enum tess_status code_add_segment(struct code_image *image, uint32_t address, struct buffer *bytes,
                                  const char *name, size_t name_length);
enum tess_status code_add_symbol(struct code_image *image, const char *name, size_t length,
                                 uint32_t address, bool global);
enum tess_status code_add_range(struct code_image *image, struct code_range range);
enum tess_status code_add_reserve(struct code_image *image, struct code_range range);
enum tess_status code_add_constant(struct code_image *image, const char *name, size_t length,
                                   uint32_t value, bool global);
enum tess_status code_add_line(struct code_image *image, struct code_line line);

/* A copy of the path that belongs to the image, one for equal paths. NULL: there are too many, or no memory. */
const char *code_add_file(struct code_image *image, const char *path);

/* Adds the lines of a DWARF line table whose addresses are final. What cannot be read is left out. Errors:
 * TESS_NO_MEMORY. */
enum tess_status code_read_lines(struct code_image *image, const uint8_t *bytes, size_t size);

#endif
