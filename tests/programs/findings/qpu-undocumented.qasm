# SPDX-License-Identifier: MIT
.org 0x40000000
# tessera: kind user
program:
    mov r0, elem_num
    mov r1, ra39                # reads the nop register
    nop; nop; thrend
    nop
    nop

.align 16
uniforms:
    .word memory, memory
memory:
    .space 256

.scene qpu program uniforms 2
