# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_shader
    mov r0, vary; nop; sbwait
    nop
    draw_white
.endm

frame
