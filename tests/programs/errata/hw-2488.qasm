# SPDX-License-Identifier: MIT
# One instruction loads the tile's colour and writes it.
.include "../frame.inc"

.macro part_shader
    mov r0, vary
    nop
    ldi r1, -1
    mov tlbc, r1; nop; loadc
    nop; nop; sbdone
    end_program
.endm

frame
