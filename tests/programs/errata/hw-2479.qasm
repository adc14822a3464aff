# SPDX-License-Identifier: MIT
# The mul ALU writes a VPM setup.
.org 0x40000000
# tessera: kind user
program:
    ldi vw_setup, 0x1a00
    mov vpm, 0
    ldi r0, 0x00101a00
    nop; mov vr_setup, r0
    nop
    nop
    nop
    mov r0, vpm
    nop; nop; thrend
    nop
    nop

.scene qpu program 0
