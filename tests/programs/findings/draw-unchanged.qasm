# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_shader
    mov r0, vary
    nop
    ldi tlbc, 0xff00ffff        # the clear colour
    nop; nop; sbdone
    end_program
.endm

frame
