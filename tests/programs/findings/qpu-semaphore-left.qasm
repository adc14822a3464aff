# SPDX-License-Identifier: MIT

.org 0x40000000
# tessera: kind user
program:
    nop
    srel -, 3                   # no program acquires the semaphore
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
