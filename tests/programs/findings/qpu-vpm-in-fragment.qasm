# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_shader
    mov r0, vary
    nop
    mov vpm, 0
    draw_white
.endm

frame
