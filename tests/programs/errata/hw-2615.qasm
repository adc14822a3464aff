# SPDX-License-Identifier: MIT
# The second instruction of a shader writes a TMU register.
.include "../frame.inc"

.macro part_shader
    mov r0, vary
    mov t0t, 0
    mov t0s, 0
    nop; nop; ldtmu0
    mov r0, r4
    draw_white
.endm

frame
