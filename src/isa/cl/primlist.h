/* SPDX-License-Identifier: MIT */
/* primlist.h - compressed primitive lists, the PTB's own format (manual tables 39..43).
 *
 * A list is a run of items: primitives in one of four codings, relative branches between memory blocks,
 * and the escape code that ends it. Relative codings refer to the previous primitive of the same list. */
#ifndef ISA_CL_PRIMLIST_H
#define ISA_CL_PRIMLIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PRIMLIST_ESCAPE = 128,
    PRIMLIST_ABSOLUTE = 129,
    PRIMLIST_BRANCH = 130,
    PRIMLIST_MAX_ITEM = 13, /* bytes */
    PRIMLIST_BRANCH_UNIT = 32,
};

/* What a list encodes: the fields of record 56. */
struct primlist_format {
    uint8_t type;        /* 0 points, 1 lines, 2 triangles, 3 RHTs */
    uint8_t index_bytes; /* 2 or 3: vertex indices of 16 or 24 bits; 4: 16+16-bit x,y coordinates */
};

/* A primitive: vertex indices, or coordinates as x | y << 16. The previous one is what relative codings
 * build on; .valid is false at the start of a list. */
struct primlist_primitive {
    uint32_t vertex[3];
    bool valid;
};

enum primlist_item { PRIMLIST_PRIMITIVE, PRIMLIST_END, PRIMLIST_JUMP, PRIMLIST_BAD };

/* Vertices of one primitive: 1, 2 or 3. */
unsigned primlist_vertices(const struct primlist_format *format);

/* Reads one item from size bytes. *used is its length; *coding 0..3 for primitives; *previous becomes the
 * primitive read; *jump is the branch distance in bytes, from the start of the 32-byte block that holds
 * the branch. PRIMLIST_BAD: reserved coding, cut short, or relative with no previous primitive. */
enum primlist_item primlist_read(const struct primlist_format *format, const uint8_t *bytes,
                                 size_t size, struct primlist_primitive *previous, size_t *used,
                                 unsigned *coding, int32_t *jump);

/* Writes the shortest coding of a primitive into out and makes it the previous one. Returns its length,
 * 1..PRIMLIST_MAX_ITEM, or 0 if format is not one of the eight that exist. */
size_t primlist_write(const struct primlist_format *format, const uint32_t vertex[3],
                      struct primlist_primitive *previous, uint8_t out[PRIMLIST_MAX_ITEM]);

#endif
