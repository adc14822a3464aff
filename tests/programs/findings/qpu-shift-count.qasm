# SPDX-License-Identifier: MIT

.org 0x40000000
# tessera: kind user
program:
    mov r1, elem_num
    mov r0, 4
    shl r1, r1, r0              # shift counts 0, 16, 32 ... 240
    shl r0, r0, r1
    nop; nop; thrend
    nop
    nop

.align 64
uniforms:
    .word memory, memory
.align 64
memory:
    .space 256

.scene qpu program uniforms 2
