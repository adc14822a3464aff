/* SPDX-License-Identifier: MIT */
/* texel.h - the texture data types of manual table 18: size of a texel, layout of the image in
 * memory, and conversion to a result (docs/vc4/tmu.md). */
#ifndef VC4_TMU_TEXEL_H
#define VC4_TMU_TEXEL_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/lanes/lanes.h"

/* Converts the bits of 16 cells to results, in place. A cell is a texel, or a block of several
 * texels. x selects the texel in a cell that contains several texels side by side. */
typedef void texel_decode(lanes *raw, const lanes *x);

/* Kind of filtering that a type's results allow. */
enum texel_blend {
    TEXEL_BLEND_BYTES,  /* four 8-bit channels */
    TEXEL_BLEND_HALVES, /* 16-bit float channels */
    TEXEL_BLEND_NEVER,
};

struct texel_format {
    const char *name;
    uint8_t number;
    uint8_t bits;                      /* bits per cell; a cell is the unit of the memory layout */
    uint8_t width_shift, height_shift; /* log2 of a cell's width and height in texels, 0 except for
                                          types with several texels per cell */
    bool raster;                       /* true for raster rows; otherwise the size selects T-format
                                          or LT-format */
    uint8_t words;                     /* number of words in a result */
    enum texel_blend blend;
    texel_decode *decode; /* NULL for ETC1, and for types whose bits are already the result */
};

/* Returns the format of a texture type, or NULL if table 18 has no type with this number. */
const struct texel_format *texel_format(uint32_t number);

/* Cache of decoded ETC1 blocks. The key is the block's bits, so writes to memory cannot make an
 * entry wrong. Zeroed memory is an empty cache. */
enum { ETC1_BLOCKS = 64 };

struct etc1_cache {
    uint64_t block[ETC1_BLOCKS];
    uint32_t texel[ETC1_BLOCKS][16]; /* row by row; alpha is always 255, so a texel of 0 marks an
                                        empty entry */
};

/* Returns the 16 texels of a block, row by row. bits is the block's eight bytes as a little-endian
 * number. The result is valid until the next call. */
const uint32_t *etc1_texels(struct etc1_cache *cache, uint64_t bits);

/* Macros that pack and widen the channels of texels. The operands are vectors of words of any
 * width. */

#define TEXEL_RGBA(red, green, blue, alpha) ((red) | (green) << 8 | (blue) << 16 | (alpha) << 24)
#define TEXEL_BITS(word, high, low)         ((word) >> (low) & ((2u << ((high) - (low))) - 1))
#define TEXEL_WIDEN4(value)                 ((value)*17)
#define TEXEL_WIDEN5(value)                 ((value) << 3 | (value) >> 2)
#define TEXEL_WIDEN6(value)                 ((value) << 2 | (value) >> 4)

#define TEXEL_OPAQUE                        0xff000000u

#endif
