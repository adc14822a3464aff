# SPDX-License-Identifier: MIT
.org 0x40000000
# tessera: kind user
program:
    mov -, mutex_acq
    mov -, mutex_acq
    nop
    mov mutex_rel, 0
    nop; nop; thrend
    nop
    nop

.align 16
uniforms:
    .word memory, memory
memory:
    .space 256

.scene qpu program uniforms 2
