# SPDX-License-Identifier: MIT
.include <vc4.qinc>

.org 0x40000000
# tessera: kind user
program:
    ldi vw_setup, vpm_setup(0, 1, h32(0))
    mov vpm, elem_num
    mov vpm, elem_num
    ldi vw_setup, vdw_setup_0(1, 8, dma_h32(0, 12))
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
