/* SPDX-License-Identifier: MIT */
/* primlist.h - compressed primitive lists, the PTB's output format (manual tables 39 to 43).
 *
 * A list is a sequence of items: primitives in one of four codings, relative branches between
 * memory blocks, and the escape code that ends the list. Relative codings refer to the previous
 * primitive of the same list. */
#ifndef ISA_CL_PRIMLIST_H
#define ISA_CL_PRIMLIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PRIMLIST_ESCAPE = 128,
    PRIMLIST_ABSOLUTE = 129,
    PRIMLIST_BRANCH = 130,
    PRIMLIST_MAX_ITEM = 13, /* size of the longest item in bytes */
    PRIMLIST_BRANCH_UNIT = 32,
};

/* Type and index size of a list's primitives: the fields of record 56, the primitive list
 * format. */
struct primlist_format {
    uint8_t type;        /* 0 points, 1 lines, 2 triangles, 3 RHTs */
    uint8_t index_bytes; /* 2 or 3: vertex indices of 16 or 24 bits; 4: 16+16-bit x,y coordinates */
};

/* A primitive: vertex indices, or coordinates as x | y << 16. Relative codings need the previous
 * primitive. valid is false at the start of a list. */
struct primlist_primitive {
    uint32_t vertex[3];
    bool valid;
};

enum primlist_item { PRIMLIST_PRIMITIVE, PRIMLIST_END, PRIMLIST_JUMP, PRIMLIST_BAD };

/* Returns the number of vertices of a primitive: 1, 2 or 3. */
unsigned primlist_vertices(const struct primlist_format *format);

/* Reads one item from size bytes and stores its length in *used. For a primitive, stores the
 * primitive in *previous and its coding, 0 to 3, in *coding. For a branch, stores the distance from
 * the start of the 32-byte block that contains the branch, in bytes, in *jump.
 * Returns PRIMLIST_BAD for a reserved coding, a truncated item, or a relative coding without a
 * previous primitive. */
enum primlist_item primlist_read(const struct primlist_format *format, const uint8_t *bytes,
                                 size_t size, struct primlist_primitive *previous, size_t *used,
                                 unsigned *coding, int32_t *jump);

/* Writes the shortest coding of a primitive to out and stores the primitive in *previous. Returns
 * the length of the coding, 1 to PRIMLIST_MAX_ITEM, or 0 if the hardware does not have the
 * format. */
size_t primlist_write(const struct primlist_format *format, const uint32_t vertex[3],
                      struct primlist_primitive *previous, uint8_t out[PRIMLIST_MAX_ITEM]);

#endif
