# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_shader
    mov r0, vary
    nop
    nop; nop; sbdone
    end_program
.endm

frame
