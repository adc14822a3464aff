# SPDX-License-Identifier: MIT
# The scoreboard is waited for in the second instruction.
.include "../frame.inc"

.macro part_shader
    mov r0, vary
    nop; nop; sbwait
    draw_white
.endm

frame
