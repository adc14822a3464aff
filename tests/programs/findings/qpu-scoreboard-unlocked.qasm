# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_shader
    mov r0, vary
    nop
    ldi tlbc, -1
    nop; nop; sbdone
    ldi tlbc, 0
    end_program
.endm

frame
