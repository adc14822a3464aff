# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_shader
    mov r0, vary
    nop
    ldi stencil, 3 << 30 | 3 << 28 | 2 << 16 | 1 << 8 | 0xff    # passes for 1, but the stencil is 0
    mov tlbz, rb15
    draw_white
.endm

frame
