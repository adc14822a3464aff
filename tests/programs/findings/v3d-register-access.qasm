# SPDX-License-Identifier: MIT
.org 0x40000000
# tessera: kind user
program:
    nop
    nop; nop; thrend
    nop
    nop

.align 16
uniforms:
    .word memory, memory
memory:
    .space 256

.scene write V3D_IDENT0 0
.scene qpu program uniforms 2
