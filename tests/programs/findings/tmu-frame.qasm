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
    uniform.texture base=framebuffer, type=rgba8888, width=16, height=16, min_filter=nearest, mag_filter=nearest
.endm

frame
