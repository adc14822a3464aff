# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_shader
    mov r0, vary
    nop
    mov t0t, r0
    mov t0r, r0
    mov t0s, r0
    nop; nop; ldtmu0
    mov r0, r4
    draw_white
.endm

.macro part_uniforms
    uniform.texture base=texture, type=rgba8888, width=16, height=16, mag_filter=nearest, min_filter=nearest
    .word 1 << 30 | 2         # cube map stride with the reserved bit 1 set
.endm

frame
