# SPDX-License-Identifier: MIT
# The second instruction waits for the scoreboard.
.include "../frame.inc"

.macro part_shader
    mov r0, vary
    nop; nop; sbwait
    draw_white
.endm

frame
