# SPDX-License-Identifier: MIT
.include <vc4.qinc>

.org 0x40000000
# tessera: kind user
program:
    mov r0, qpu_num
    nop
    add r1, r0, r0
    ldi r2, vpm_setup(0, 1, h32(0))
    add vw_setup, r2, r0        # each QPU writes its own row
    mov vpm, elem_num
    shl r0, r0, 7
    ldi r2, vdw_setup_0(1, 16, dma_h32(0, 0))
    add vw_setup, r2, r0
    mov vw_addr, unif           # both QPUs store to the same memory
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
.scene qpu program uniforms 2
