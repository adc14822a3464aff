# SPDX-License-Identifier: MIT
# A child image is 2048 texels wide, like the largest texture. Its width field has 0 for 2048.
.include "../frame.inc"

.macro part_uniforms
    uniform.texture base=texture, type=bw1, width=2048, height=32, mag_filter=nearest, min_filter=nearest
    uniform.child_size width=0, height=32
    uniform.child_offset x=0, y=0
.endm

.macro part_texture
    .fill 8192, 1, 0xff
.endm

.macro part_shader
    mov r0, vary
    nop
    mov t0t, 0
    mov t0r, 0
    mov t0b, 0
    mov t0s, 0
    nop; nop; ldtmu0
    mov r0, r4
    draw_white
.endm

frame
