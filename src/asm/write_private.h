/* SPDX-License-Identifier: MIT */
/* write_private.h - what the files that write outputs share. */
#ifndef ASM_WRITE_PRIVATE_H
#define ASM_WRITE_PRIVATE_H

#include "asm/write.h"

/* All regions as one run of bytes, gaps filled with zero. */
struct asm_image {
    uint8_t *bytes;
    size_t size;    /* zeros follow, up to a whole line of text */
    uint32_t start; /* address of the first byte */
};

/* What a program tells the world. */
struct asm_export {
    const char *name;
    const struct asm_value *value;
    bool label; /* the value is an address */
};

/* Fills *image, whose bytes are to be freed. Errors: TESS_WRONG (reported), TESS_NO_MEMORY. */
enum tess_status asm_flatten(const struct asm_program *program, struct tess_sink sink,
                             struct asm_image *image);

/* The file name without its folder. */
const char *asm_base_name(const char *path);

/* The name that stands for a file in C and in symbols: without folder and ending, other characters than
 * letters and digits replaced by '_'. To be freed; NULL if the host is out of memory. */
char *asm_symbol_name(const char *path);

/* The global symbols: numbers first, then addresses, each by value and name. To be freed; NULL if the host is out
 * of memory. What has several values or is none of both is left out. */
struct asm_export *asm_exports(const struct asm_program *program, size_t *count);

/* The statements that put out bytes, by address. To be freed; NULL if the host is out of memory. */
struct asm_origin *asm_origins(const struct asm_program *program, size_t *count);

/* The index of the first statement at an address or above it. */
size_t asm_origin_from(const struct asm_origin *origins, size_t count, uint64_t address);

/* The bytes of a line of text: an instruction, but two words at least; and what code is aligned to, a power of two. */
uint32_t asm_unit(const struct asm_program *program);
uint32_t asm_alignment(const struct asm_program *program);

/* Words as text: write.c. False if the host is out of memory. */
bool asm_write_hex(const struct asm_program *program, const struct asm_image *image, bool comments,
                   struct buffer *out);

/* C files and headers: write_c.c. False if the host is out of memory. */
bool asm_write_c(const struct asm_program *program, const struct asm_image *image,
                 const struct asm_output *output, struct buffer *out);

/* ELF files: write_object.c; a scene is in elf.c. */
enum tess_status asm_write_object(const struct asm_program *program, const struct asm_image *image,
                                  const struct asm_output *output, struct tess_sink sink,
                                  struct buffer *out);

#endif
