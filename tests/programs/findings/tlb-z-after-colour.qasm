# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_configuration
    cl.configuration_bits forward, reverse, depth_test=lt, z_updates
.endm

.macro part_shader
    mov r0, vary
    ldi r0, -1
    mov tlbc, r0            # too early: the next instruction runs the Z test
    mov tlbz, rb15
    nop; nop; sbdone
    end_program
.endm

frame
