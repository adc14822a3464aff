# SPDX-License-Identifier: MIT
.org 0x40000000
# tessera: kind user
program:
    ldi r0, 0x12345678
    mul24 r1, r0, r0
    nop; nop; thrend
    nop
    nop

.align 16
uniforms:
    .word memory, memory
memory:
    .space 256

.scene qpu program uniforms 2
