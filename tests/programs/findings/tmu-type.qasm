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
    .word texture | 2 << 4       # type 18, which the assembler's statements reject
    .word 1 << 31 | 16 << 20 | 16 << 8 | 1 << 7 | 1 << 4
.endm

frame
