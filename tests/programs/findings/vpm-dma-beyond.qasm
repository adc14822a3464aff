# SPDX-License-Identifier: MIT
.include <vc4.qinc>

.org 0x40000000
# tessera: kind user
program:
    ldi vw_setup, vpm_setup(0, 1, h32(0))
    mov vpm, elem_num
    mov vpm, elem_num
    ldi vw_setup, vdw_setup_0(2, 16, dma_h32(0, 0))
    ldi vw_setup, vdw_setup_1(0x1000 - 64)      # the second row is stored 4 KiB after the first
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

.org memory + 0x1000           # another buffer
    .space 256

.scene qpu program uniforms 2
