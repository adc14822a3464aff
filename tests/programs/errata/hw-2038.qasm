# SPDX-License-Identifier: MIT
# A shader reads two textures that are not adjacent in memory.
.include "../frame.inc"

.macro part_uniforms
    uniform.texture base=texture, type=rgba8888, width=16, height=16, mag_filter=nearest, min_filter=nearest
    uniform.texture base=texture + 0x1000, type=rgba8888, width=16, height=16, mag_filter=nearest, min_filter=nearest
.endm

.macro part_texture
    .fill 0x2000, 1, 0x7f
.endm

.macro part_shader
    mov r0, vary
    nop
    .rep i, 2
        mov t0t, r0
        mov t0s, r0
    .endr
    nop; nop; ldtmu0
    mov r0, r4; nop; ldtmu0
    mov r0, r4
    draw_white
.endm

frame
