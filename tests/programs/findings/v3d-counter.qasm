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

.scene write V3D_PCTRE 1            # without bit 31
.scene qpu program uniforms 2
