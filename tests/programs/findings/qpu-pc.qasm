# SPDX-License-Identifier: MIT
.org 0x40000000
# tessera: kind user
program:
    bra -, 0x3e000000
    nop
    nop
    nop
    nop; nop; thrend
    nop
    nop

.align 16
uniforms:
    .word memory, memory
memory:
    .space 256

.scene qpu program uniforms 2
