# SPDX-License-Identifier: MIT
.include <vc4.qinc>

.org 0x40000000
# tessera: kind user
program:
    ldi vw_setup, vpm_setup(0, 1, h32(0))
    mov vpm, elem_num
    ldi vw_setup, vdw_setup_0(1, 16, dma_h32(0, 0))
    mov vw_addr, unif
    ldi vw_setup, vpm_setup(0, 1, h32(0))
    mov vpm, 0                  # overwrites the row during the store
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
