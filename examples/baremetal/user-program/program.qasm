# SPDX-License-Identifier: MIT
# Squares 16 integers: reads them by the texture unit, writes the results by the VPM and its DMA.
#
# Uniforms: address of the numbers, address of the results.
.include <vc4.qinc>
.global program
.align 8
program:
    mov r0, elem_num            # 0 to 15
    shl r0, r0, 2
    add t0s, r0, unif           # each element requests its own word
    nop; nop; ldtmu0            # waits; the words arrive in r4
    mul24 r1, r4, r4            # the low 24 bits of both factors

    ldi vw_setup, vpm_setup(1, 1, h32(0))
    mov vpm, r1                                 # row 0 of the VPM
    ldi vw_setup, vdw_setup_0(1, 16, dma_h32(0, 0))
    ldi vw_setup, vdw_setup_1(0)
    mov vw_addr, unif                           # starts the DMA
    mov -, vw_wait

    mov irq, 1                  # tells the firmware that the program has ended
    nop; nop; thrend
    nop
    nop
