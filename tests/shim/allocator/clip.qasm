# SPDX-License-Identifier: MIT
# A coordinate shader. It computes the same position as place.qasm, but also writes the clip
# coordinates, which the binner needs.
    ldi vr_setup, 0x00101a00
    ldi vw_setup, 0x00001a00
    nop
    nop
    mov ra0, vpm
    nop
    mov vpm, 0
    mov vpm, 0
    mov vpm, 0
    ldi vpm, 1.0
    mov vpm, ra0
    ldi vpm, 0.5
    ldi vpm, 1.0
    nop; thrend
    nop
    nop
