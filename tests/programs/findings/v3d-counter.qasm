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

.scene write V3D_PCTRS0 31          # only sources 0 to 29 exist
.scene qpu program uniforms 2
