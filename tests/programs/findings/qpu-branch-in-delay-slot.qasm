# SPDX-License-Identifier: MIT
.org 0x40000000
# tessera: kind user
program:
    brr -, 8                    # branches to the program end
    brr -, 0
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
