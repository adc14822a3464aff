/* SPDX-License-Identifier: MIT */
/* texel.h - the texture data types of manual table 18: how many bits a texel takes, how the image
 * lies in memory, and what the texture unit makes of the bits (docs/vc4/tmu.md). */
#ifndef VC4_TEXEL_H
#define VC4_TEXEL_H

#include <stdbool.h>
#include <stdint.h>

/* Makes a result from a cell's bits: the first result word in bits 31:0, a second one in bits
 * 63:32. x and y select the texel inside a cell that holds several. */
typedef uint64_t texel_decode(uint64_t raw, uint32_t x, uint32_t y);

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
    texel_decode *decode;
};

/* The row of a type number; NULL if table 18 has none. */
const struct texel_format *texel_format(uint32_t number);

#endif
