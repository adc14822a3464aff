# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_shader
    mov r0, vary
    nop
    .rep i, 5                   # five requests of two writes, but only eight writes fit
        mov t0t, r0
        mov t0s, r0
    .endr
    .rep i, 4
        nop; nop; ldtmu0
        mov r1, r4
    .endr
    draw_white
.endm

.macro part_uniforms
    .rep i, 5
    uniform.texture base=texture, type=rgba8888, width=16, height=16, mag_filter=nearest, min_filter=nearest
    .endr
.endm

frame
