/* SPDX-License-Identifier: MIT */
/* address.h - the layout of a texture in memory: its levels, and the offsets of their blocks.
 *
 * In:      a texture constant.
 * Out:     for each level its size, and offsets of blocks from the base address (level 0) or the
 *          mip address (other levels).
 * Source:  docs/hardware/a2xx.md, section 16; Mesa 22.3.6, fd2_resource.c; xenia,
 *          src/xenia/gpu/texture_address.h for tiles and texture_util.cc for levels, volumes and
 *          packed levels.
 * Choice:  docs/a2xx/texture.md, "Layout in memory". */
#ifndef A2XX_ADDRESS_H
#define A2XX_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "a2xx/constant.h"
#include "isa/a2xx/a2xx_isa.h"

enum { A2XX_LEVELS = 16, A2XX_FACES = 6 };

enum a2xx_dimension { A2XX_1D, A2XX_2D, A2XX_3D, A2XX_CUBE };

struct a2xx_level {
    uint32_t width, height, depth; /* size in texels */
    uint32_t pitch, rows; /* size in memory in blocks: multiples of 32, but rows is 1 for 1D */
    uint32_t x, y, z;     /* position of a packed level within its tile, in blocks; else 0 */
    /* offset of the level in bytes, and bytes between its rows and between its layers */
    uint64_t offset, row, layer;
};

struct a2xx_layout {
    const struct a2xx_format *format;
    enum a2xx_dimension dimension;
    bool tiled;
    uint32_t block;  /* bytes between neighbouring blocks */
    uint32_t layers; /* number of faces, or of textures in a stack, or 1 */
    uint32_t last;   /* number of the last level */
    uint64_t base_bytes, mip_bytes;
    bool narrow; /* true if the pitch is smaller than the width */
    struct a2xx_level level[A2XX_LEVELS];
};

/* Returns the row of a format code. An undefined code gives a format without a name and with
 * blocks of one byte. */
const struct a2xx_format *a2xx_block_format(enum tess_a2xx_variant variant, uint32_t code);

/* Computes the layout of all levels, up to the constant's last level or the smallest possible
 * one. */
void a2xx_layout(struct a2xx_layout *layout, const struct a2xx_texture_constant *constant,
                 enum tess_a2xx_variant variant);

/* Returns the offset of a block in bytes. x and y count blocks. `z` counts layers of a volume,
 * faces, or textures of a stack. */
uint64_t a2xx_block_offset(const struct a2xx_layout *layout, const struct a2xx_level *level,
                           uint32_t x, uint32_t y, uint32_t z);

#endif
