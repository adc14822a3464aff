# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_shader
    mov r0, vary
    nop
    ldi tlbc, -1
    mov tlbz, rb15
    nop; nop; thrend
    nop
    nop; nop; sbdone
.endm

frame
