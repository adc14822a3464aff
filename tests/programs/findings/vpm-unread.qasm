# SPDX-License-Identifier: MIT
.include <vc4.qinc>

.org 0x40000000
# tessera: kind user
program:
    ldi vw_setup, vpm_setup(0, 1, h32(0))
    mov vpm, elem_num
    mov vpm, elem_num
    ldi vr_setup, vpm_setup(2, 1, h32(0))
    nop
    nop
    nop
    mov r0, vpm
    nop; nop; thrend
    nop
    nop

.align 16
uniforms:
    .word memory, memory
memory:
    .space 256

.scene qpu program uniforms 2
