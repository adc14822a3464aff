/* SPDX-License-Identifier: MIT */
/* write_private.h - functions that the writers of all file formats share. */
#ifndef ASM_WRITE_PRIVATE_H
#define ASM_WRITE_PRIVATE_H

#include "asm/write.h"

/* All regions as one block of bytes, with gaps filled by zeros. */
struct asm_image {
    uint8_t *bytes;
    size_t size;    /* size in bytes; at least ASM_INSTRUCTION_MAX zero bytes follow the content */
    uint32_t start; /* address of the first byte */
};

/* An exported (global) symbol. */
struct asm_export {
    const char *name;
    const struct asm_value *value;
    bool label; /* true if the value is an address */
};

/* Fills *image; the caller frees image->bytes. Errors: TESS_WRONG (reported), TESS_NO_MEMORY. */
enum tess_status asm_flatten(const struct asm_program *program, struct tess_sink sink,
                             struct asm_image *image);

/* Returns the file name without its folder. */
const char *asm_base_name(const char *path);

/* Returns a file's name for use in C and in symbols: without folder and extension, with '_' for
 * characters other than letters and digits. The caller frees the name. Returns NULL if the host is
 * out of memory. */
char *asm_symbol_name(const char *path);

/* Returns the global symbols: integers, then floats, then addresses, each sorted by value and name.
 * Leaves out symbols with several values, and operands. The caller frees the array. Returns NULL if
 * the host is out of memory. */
struct asm_export *asm_exports(const struct asm_program *program, size_t *count);

/* Returns the origins of all bytes, sorted by address. The caller frees the array. Returns NULL if
 * the host is out of memory. */
struct asm_origin *asm_origins(const struct asm_program *program, size_t *count);

/* Returns the index of the first origin at or above an address. */
size_t asm_origin_from(const struct asm_origin *origins, size_t count, uint64_t address);

/* asm_unit() returns the bytes per line of text: one instruction, but at least two words.
 * asm_alignment() returns the alignment of code, a power of two. */
uint32_t asm_unit(const struct asm_program *program);
uint32_t asm_alignment(const struct asm_program *program);

/* Writes the words as text (write.c). Returns false if the host is out of memory. */
bool asm_write_hex(const struct asm_program *program, const struct asm_image *image, bool comments,
                   struct buffer *out);

/* Writes C files and headers (write_c.c). Returns false if the host is out of memory. */
bool asm_write_c(const struct asm_program *program, const struct asm_image *image,
                 const struct asm_output *output, struct buffer *out);

/* Writes an object file (write_object.c). elf.c writes scenes. */
enum tess_status asm_write_object(const struct asm_program *program, const struct asm_image *image,
                                  const struct asm_output *output, struct tess_sink sink,
                                  struct buffer *out);

#endif
