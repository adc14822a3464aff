# SPDX-License-Identifier: MIT
# The last instruction unlocks the scoreboard, which only later silicon allows.
.include "../frame.inc"

.macro part_shader
    mov r0, vary
    nop
    ldi tlbc, -1
    nop; nop; thrend
    nop
    nop; nop; sbdone
.endm

frame
