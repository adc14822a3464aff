# SPDX-License-Identifier: MIT
# The instruction with the program-end signal writes Z. The result may change the next program's mask.
.include "../frame.inc"

.macro part_shader
    mov r0, vary
    nop
    nop; nop; sbwait
    ldi r1, -1
    nop
    mov tlbz, rb15; nop; thrend
    mov tlbc, r1
    nop; nop; sbdone
.endm

frame
