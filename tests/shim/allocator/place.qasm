# SPDX-License-Identifier: MIT
# A vertex shader whose input is the position of a vertex, one word.
    ldi vr_setup, 0x00101a00
    ldi vw_setup, 0x00001a00
    nop
    nop
    mov ra0, vpm
    nop
    mov vpm, ra0
    ldi vpm, 0.5
    ldi vpm, 1.0
    nop; thrend
    nop
    nop
