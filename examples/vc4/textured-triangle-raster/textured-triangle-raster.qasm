# SPDX-License-Identifier: MIT
# A triangle with a texture of 64x64 texels in raster order. The pitch of a raster texture must be a power of two.
# See ../include/textured_triangle.inc for the rest of the scene.
#
# Source: manual table 19 and the article "Texturing".

.set TEXTURE_TYPE, 16           # RGBA32R
.set TEXTURE_WIDTH, 64
.set TEXTURE_HEIGHT, 64
.include "../include/textured_triangle.inc"

.org 0x40300000
texture:
.rep row, TEXTURE_HEIGHT
    .rep column, TEXTURE_WIDTH
        Texel column, row
    .endr
.endr

.scene image framebuffer 640 480 rgba8888 raster textured-triangle-raster.png
