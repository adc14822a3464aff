/* SPDX-License-Identifier: MIT */
/* code_read.h - interface between code.c and the readers of the file formats. The readers add their
 * contents to a struct code_image. */
#ifndef CODE_CODE_READ_H
#define CODE_CODE_READ_H

#include "base/buffer.h"
#include "code/code.h"

struct code_reader {
    const uint8_t *bytes;
    size_t size;
    const char *name;
    uint32_t base;      /* address of the next segment without an address in the file */
    uint32_t alignment; /* alignment of segments without an address, a power of two */
    struct tess_sink sink;
    struct code_image *image;
};

/* Read a whole file. Return TESS_OK, TESS_WRONG (after reporting the error) or TESS_NO_MEMORY. */
enum tess_status code_read_c(struct code_reader *reader);
enum tess_status code_read_hex(struct code_reader *reader);
enum tess_status code_read_elf(struct code_reader *reader);
enum tess_status code_read_mbs(struct code_reader *reader);
enum tess_status code_read_listing(struct code_reader *reader);
enum tess_status code_read_xenos(struct code_reader *reader);

/* If the words are a shader container, replaces them with the container's microcode. Otherwise,
 * leaves the words unchanged. */
void code_unpack_xenos(struct buffer *words);

/* Returns true if a text has a brace outside of comments. */
bool code_has_brace(const struct code_reader *reader);

/* Returns true if a text has a line of a listing that begins with the words of an instruction. */
bool code_is_listing(const struct code_reader *reader);

/* Functions for modules written by VC4C. code_is_vc4c() returns true if the text is such a module.
 * code_has_words() returns true if a line of the text has instruction words. code_mark_vc4c() adds
 * ranges of code and data for the lines of a module that code_read_hex() has read. */
bool code_is_vc4c(const struct code_reader *reader);
bool code_has_words(const struct code_reader *reader);
enum tess_status code_mark_vc4c(struct code_reader *reader);

/* Reports an error and returns TESS_WRONG. line and column are 0 if unknown. */
enum tess_status code_refuse(const struct code_reader *reader, const char *rule, uint32_t line,
                             size_t column, const char *hint, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* Functions that add an item to the image and return TESS_OK or TESS_NO_MEMORY. code_add_segment()
 * takes ownership of the bytes even if it fails, and adds nothing if there are no bytes. Names are
 * copied. */
enum tess_status code_add_segment(struct code_image *image, uint32_t address, struct buffer *bytes,
                                  const char *name, size_t name_length);
enum tess_status code_add_symbol(struct code_image *image, const char *name, size_t length,
                                 uint32_t address, bool global);
enum tess_status code_add_range(struct code_image *image, struct code_range range);
enum tess_status code_add_reserve(struct code_image *image, struct code_range range);
enum tess_status code_add_constant(struct code_image *image, const char *name, size_t length,
                                   uint32_t value, bool global);
enum tess_status code_add_line(struct code_image *image, struct code_line line);

enum { CODE_FILES_MAX = 4096 }; /* largest number of paths of an image */

/* Returns a copy of the path. The image owns the copy, and equal paths share one copy. Returns NULL
 * if there are CODE_FILES_MAX paths or the host is out of memory. */
const char *code_add_file(struct code_image *image, const char *path);

/* Adds the lines of a DWARF line table whose addresses have already been relocated. Skips units
 * that it cannot read. Returns TESS_OK or TESS_NO_MEMORY. */
enum tess_status code_read_lines(struct code_image *image, const uint8_t *bytes, size_t size);

#endif
