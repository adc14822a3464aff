# SPDX-License-Identifier: MIT
.include <vc4.qinc>

.org 0x40000000
# tessera: kind user
program:
    .rep i, 32
        ldi vw_setup, vpm_setup(0, 1, h32(i))
        mov vpm, elem_num
    .endr
    ldi vw_setup, vdw_setup_0(1, 32, dma_v32(0, 0))
    mov vw_addr, unif
    mov -, vw_wait
    nop; nop; thrend
    nop
    nop

.align 16
uniforms:
    .word memory, memory
memory:
    .space 256

.scene qpu program uniforms 2
