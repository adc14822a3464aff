# SPDX-License-Identifier: MIT
# The width of a raster texture is not a power of two.
.include "../frame.inc"

.macro part_uniforms
    uniform.texture base=texture, type=rgba32r, width=12, height=4, mag_filter=nearest, min_filter=nearest
.endm

.macro part_shader
    mov r0, vary
    nop
    mov t0t, r0
    mov t0s, r0
    nop; nop; ldtmu0
    mov r0, r4
    draw_white
.endm

frame
