# SPDX-License-Identifier: MIT
# A linear filter samples a single texel, which is minus a power of two. The hardware loses the sign.
.include "../frame.inc"

.macro part_uniforms
    uniform.texture base=texture, type=s16f, width=4, height=4, levels=1
.endm

.macro part_texture
    .fill 64, 2, 0xc000        # -2.0
.endm

.macro part_shader
    mov r0, vary
    nop
    ldi t0t, 0.125              # the centre of texel (0, 0)
    ldi t0s, 0.125
    nop; nop; ldtmu0
    mov r0, r4
    draw_white
.endm

frame
