# SPDX-License-Identifier: MIT
.org 0x40000000
# tessera: kind user
program:
    mov r0, unif
    .rep i, 5
        mov t0s, r0
    .endr
    .rep i, 5
        nop; nop; ldtmu0
        mov r1, r4
    .endr
    nop; nop; thrend
    nop
    nop

.align 16
uniforms:
    .word memory, memory
memory:
    .space 256

.scene qpu program uniforms 2
