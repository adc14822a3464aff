# SPDX-License-Identifier: MIT
.org 0x40000000
# tessera: kind user
program:
    mov r0, unif
    mov t0s, r0; mov recip, r0
    nop
    nop
    mov r1, r4
    nop; nop; ldtmu0
    mov r0, r4
    nop; nop; thrend
    nop
    nop

.align 16
uniforms:
    .word memory, memory
memory:
    .space 256

.scene qpu program uniforms 2
