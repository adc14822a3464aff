# SPDX-License-Identifier: MIT
# A triangle with a texture of 16x16 texels: the hardware takes a level that is at most 4 microtiles wide or high
# for LT format, which is microtiles in raster order. See ../include/textured_triangle.inc for the rest.
#
# Source: manual section 11 and the article "Texturing".

.set TEXTURE_TYPE, 0            # RGBA8888
.set TEXTURE_WIDTH, 16
.set TEXTURE_HEIGHT, 16
.include "../include/textured_triangle.inc"

.org 0x40300000
texture:
.rep texel, TEXTURE_WIDTH * TEXTURE_HEIGHT
    # texel: row and column of the microtile in bits 7:6 and 5:4, of the texel in 3:2 and 1:0
    .set x, (texel >> 4 & 3) * 4 + (texel & 3)
    .set y, (texel >> 6 & 3) * 4 + (texel >> 2 & 3)
    Texel x, y
.endr

.scene image framebuffer 640 480 rgba8888 raster textured-triangle-lt.png
