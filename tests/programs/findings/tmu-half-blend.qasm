# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_shader
    mov r0, vary
    nop
    ldi t0t, 0.125              # the centre of a texel: the filter uses only this texel
    ldi t0s, 0.125
    nop; nop; ldtmu0
    mov r0, r4
    draw_white
.endm

.macro part_uniforms
    uniform.texture base=texture, type=s16f, width=4, height=4
.endm

.macro part_texture
    .fill 64, 2, 0xc000         # -2.0
.endm

frame
