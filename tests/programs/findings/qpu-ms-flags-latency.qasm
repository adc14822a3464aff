# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_shader
    mov r0, vary
    nop
    mov tlbz, rb15
    nop
    mov r1, ms_mask
    draw_white
.endm

frame
