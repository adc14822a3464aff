/* SPDX-License-Identifier: MIT */
/* texel.h - the texture data types of manual table 18: how many bits a texel takes, how the image
 * lies in memory, and what the texture unit makes of the bits (docs/vc4/tmu.md). */
#ifndef VC4_TEXEL_H
#define VC4_TEXEL_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/lanes.h"

/* Makes results from the bits of 16 cells, in place. x selects the texel in a cell that holds
 * several beside each other. */
typedef void texel_decode(lanes *raw, const lanes *x);

/* How results of the type may be blended with each other. */
enum texel_blend {
    TEXEL_BLEND_BYTES,  /* four 8-bit channels */
    TEXEL_BLEND_HALVES, /* 16-bit float channels */
    TEXEL_BLEND_NEVER,
};

struct texel_format {
    const char *name;
    uint8_t number;
    uint8_t bits;                      /* per cell, the unit of the memory layout */
    uint8_t width_shift, height_shift; /* log2 of a cell's size in texels: 0 except for blocks */
    bool raster;                       /* raster rows; else T- or LT-format by size */
    uint8_t words;                     /* of a result */
    enum texel_blend blend;
    texel_decode *decode; /* NULL: the bits are the result, or it is ETC1 */
};

/* The row of a type number; NULL if table 18 has none. */
const struct texel_format *texel_format(uint32_t number);

/* Decoded ETC1 blocks, found by their bits, so that no write to memory makes them wrong. Zeroed
 * memory is an empty cache. */
enum { ETC1_BLOCKS = 64 };

struct etc1_cache {
    uint64_t block[ETC1_BLOCKS];
    uint32_t texel[ETC1_BLOCKS][16]; /* row by row; alpha is 255, so 0 marks an empty place */
};

/* The 16 texels of a block, row by row. bits: its eight bytes as a little-endian number. Valid until
 * the next call. */
const uint32_t *etc1_texels(struct etc1_cache *cache, uint64_t bits);

#endif
