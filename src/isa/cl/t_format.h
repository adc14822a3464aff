/* SPDX-License-Identifier: MIT */
/* t_format.h - addresses in an image of T-format: of microtiles of 64 bytes, 4 x 4 of which are a
 * subtile, and 2 x 2 subtiles a tile.
 *
 * Source: manual section 11, figures 13 to 15; JayStation's text on the T-format for the order of
 *         subtiles. */
#ifndef ISA_CL_T_FORMAT_H
#define ISA_CL_T_FORMAT_H

#include <stdint.h>

enum {
    UTILE_BYTES = 64,
    SUBTILE_BYTES = 1024, /* 4 x 4 microtiles */
    TILE_BYTES = 4096,    /* 2 x 2 subtiles */
    TILE_UTILES = 8,      /* microtiles along the side of a tile */
};

/* Returns the offset of a microtile in bytes. x and y count microtiles; a row of the image has a
 * whole number of tiles. Odd rows of tiles run from right to left, and their subtiles are numbered
 * from the opposite corner. */
static inline uint64_t t_format_offset(uint32_t utiles_per_row, uint32_t x, uint32_t y)
{
    /* Order in memory of the subtile at (x, y) of a tile: [odd row of tiles][y][x]. */
    static const uint8_t order[2][2][2] = {{{0, 3}, {1, 2}}, {{2, 1}, {3, 0}}};
    uint32_t tiles_per_row = utiles_per_row / TILE_UTILES;
    uint32_t column = x / TILE_UTILES, row = y / TILE_UTILES, odd = row & 1;
    uint64_t tile = (uint64_t)row * tiles_per_row + (odd ? tiles_per_row - 1 - column : column);
    uint32_t subtile = order[odd][y >> 2 & 1][x >> 2 & 1];
    return tile * TILE_BYTES + subtile * SUBTILE_BYTES + ((y & 3) * 4 + (x & 3)) * UTILE_BYTES;
}

#endif
