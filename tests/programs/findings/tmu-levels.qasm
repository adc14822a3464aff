# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_shader
    mov r0, vary
    nop
    mov t0t, r0
    mov t0s, r0
    nop; nop; ldtmu0
    mov r0, r4
    draw_white
.endm

.macro part_uniforms
    uniform.texture base=texture, type=rgba8888, width=16, height=16, levels=9, min_filter=near_mip_near, mag_filter=nearest
.endm

.macro part_texture
    .space 0
    .fill 1024, 1, 0x7f
.endm

frame
