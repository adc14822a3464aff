# SPDX-License-Identifier: MIT
# A triangle with a T-format RGBA8888 texture of 96x64 texels: 3x2 tiles of 4 KiB, so that every rule of the
# format shows. See ../include/textured_triangle.inc for the rest of the scene.
#
# Source: manual section 11 and the article "Texturing".

.set TEXTURE_TYPE, 0            # RGBA8888
.set TEXTURE_WIDTH, 96
.set TEXTURE_HEIGHT, 64
.include "../include/textured_triangle.inc"

# Texels in the order of their addresses. A 4 KiB tile has 32x32 texels, in four subtiles of 16x16; a subtile
# has 4x4 microtiles of 4x4 texels. Even rows of tiles run left to right, and their subtiles are (0,0) (0,1)
# (1,1) (1,0); odd rows run right to left, with subtiles (1,1) (1,0) (0,0) (0,1). Written as (x, y).
.set TILES_ACROSS, TEXTURE_WIDTH / 32

.org 0x40300000
texture:
.rep tile, TEXTURE_WIDTH / 32 * (TEXTURE_HEIGHT / 32)
    .set tile_y, tile / TILES_ACROSS
    .set odd, tile_y & 1
    .set tile_x, odd ? TILES_ACROSS - 1 - tile % TILES_ACROSS : tile % TILES_ACROSS
    .rep texel, 1024
        # texel: subtile in bits 9:8, row and column of the microtile in 7:6 and 5:4, of the texel in 3:2 and 1:0
        .set slot, texel >> 8
        .set subtile_x, (slot >> 1) ^ odd
        .set subtile_y, ((slot + 1) >> 1 & 1) ^ odd
        .set x, tile_x * 32 + subtile_x * 16 + (texel >> 4 & 3) * 4 + (texel & 3)
        .set y, tile_y * 32 + subtile_y * 16 + (texel >> 6 & 3) * 4 + (texel >> 2 & 3)
        Texel x, y
    .endr
.endr

.scene image framebuffer 640 480 rgba8888 raster textured-triangle.png
