# SPDX-License-Identifier: MIT
# One instruction has a TMU load signal and reads the VPM.
.org 0x40000000
# tessera: kind user
program:
    ldi vw_setup, 0x1a00
    mov vpm, 0
    ldi t0s, :program
    ldi vr_setup, 0x00101a00
    nop
    nop
    nop
    mov r1, vpm; nop; ldtmu0
    mov r0, r4
    nop; nop; thrend
    nop
    nop

.scene qpu program 0
