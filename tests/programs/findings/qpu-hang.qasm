# SPDX-License-Identifier: MIT
.org 0x40000000
# tessera: kind user
program:
    sacq -, 5                   # no program releases the semaphore
    nop; nop; thrend
    nop
    nop

.align 16
uniforms:
    .word memory, memory
memory:
    .space 256

.scene qpu program uniforms 2
