# SPDX-License-Identifier: MIT

.org 0x40000000
# tessera: kind user
program:
    mov r0, unif
    add t0s, r0, 2
    nop; nop; ldtmu0
    mov r0, r4
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
