# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_shader
    mov r0, vary
    nop
    mov t0t, r0
    mov t0r, r0
    mov t0b, r0
    mov t0s, r0
    nop; nop; ldtmu0
    mov r0, r4
    draw_white
.endm

.macro part_uniforms
    uniform.texture base=texture, type=bw1, width=2048, height=32, mag_filter=nearest, min_filter=nearest
    uniform.child_size width=0, height=32
    uniform.child_offset x=0, y=0
.endm

.macro part_texture
    .fill 8192, 1, 0xff
.endm

frame
