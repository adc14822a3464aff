/* SPDX-License-Identifier: MIT */
/* address.h - the layout of a texture in memory: its levels, and the offsets of their blocks.
 *
 * In:      a texture constant.
 * Out:     size of each level, and offsets of blocks. Offsets are from the base address for level
 *          0, and from the mip address for other levels.
 * Source:  docs/hardware/a2xx.md, section 16; Mesa 22.3.6, fd2_resource.c; xenia,
 *          src/xenia/gpu/texture_address.h for tiles and texture_util.cc for levels, volumes and
 *          packed levels.
 * Choice:  docs/a2xx/texture.md, "Layout in memory". */
#ifndef A2XX_FETCH_ADDRESS_H
#define A2XX_FETCH_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "a2xx/fetch/constant.h"
#include "a2xx/lanes/lanes.h"
#include "isa/a2xx/a2xx_isa.h"

enum { A2XX_LEVELS = 16, A2XX_FACES = 6 };

enum a2xx_dimension { A2XX_1D, A2XX_2D, A2XX_3D, A2XX_CUBE };

struct a2xx_level {
    uint32_t width, height, depth; /* size of the level in texels */
    uint32_t pitch, rows; /* size of the level in memory, in blocks; multiples of 32, but rows is 1
                             for 1D textures */
    uint32_t x, y, z;     /* position of a packed level in its tile, in blocks; 0 for other
                             levels */
    /* offset of the level, distance between its rows, and distance between its layers, in bytes */
    uint64_t offset, row, layer;
};

struct a2xx_layout {
    const struct a2xx_format *format;
    enum a2xx_dimension dimension;
    bool tiled;
    uint32_t block;  /* distance between neighbouring blocks, in bytes */
    uint32_t layers; /* number of a cube's faces or of a stack's textures, otherwise 1 */
    uint32_t last;   /* number of the smallest level */
    uint64_t base_bytes, mip_bytes;
    bool narrow; /* true if the pitch is smaller than the width */
    struct a2xx_level level[A2XX_LEVELS];
};

/* Returns the format that a format code selects. For an undefined code, returns a format without a
 * name that has blocks of one byte. */
const struct a2xx_format *a2xx_block_format(enum tess_a2xx_variant variant, uint32_t code);

/* Computes the layout of all levels, from level 0 to the constant's last level. The last level is
 * at most the level with one texel. */
void a2xx_layout(struct a2xx_layout *layout, const struct a2xx_texture_constant *constant,
                 enum tess_a2xx_variant variant);

/* Returns the offset of a block in bytes. x and y are numbers of blocks. z is the number of a
 * volume's layer, of a face, or of a texture in a stack. */
uint64_t a2xx_block_offset(const struct a2xx_layout *layout, const struct a2xx_level *level,
                           uint32_t x, uint32_t y, uint32_t z);

/* Computes the offsets of the blocks of all lanes. level[lane] is the number of the lane's level.
 * The other arrays are the texels of the lanes. Offsets of lanes whose texel is outside of its
 * level are undefined. */
void a2xx_block_offsets(const struct a2xx_layout *layout, const uint8_t level[A2XX_LANES],
                        const int32_t x[A2XX_LANES], const int32_t y[A2XX_LANES],
                        const int32_t z[A2XX_LANES], uint64_t offset[A2XX_LANES]);

#endif
