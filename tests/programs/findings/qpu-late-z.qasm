# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_shader
    mov r0, vary
    nop
    ldi r0, -1
    mov tlbz, rb15
    mov tlbc, r0; nop; thrend
    nop
    nop; nop; sbdone
.endm

frame
