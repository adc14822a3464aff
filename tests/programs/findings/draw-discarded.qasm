# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_shader
    mov r0, vary
    nop
    ldi r1, -1
    ldi.setf r2, 1
    mov.ifz tlbc, r1            # r2 is 1, so no element writes a colour
    nop; nop; sbdone
    end_program
.endm

frame
