# SPDX-License-Identifier: MIT
.org 0x40000000
# tessera: kind user
program:
    .int 0x099e7000, 0x100009e7 # add opcode 9 is reserved
    nop; nop; thrend
    nop
    nop

.align 16
uniforms:
    .word memory, memory
memory:
    .space 256

.scene qpu program uniforms 2
