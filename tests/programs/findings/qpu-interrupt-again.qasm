# SPDX-License-Identifier: MIT

.org 0x40000000
# tessera: kind user
program:
    mov irq, 1                  # both programs raise the interrupt
    nop; nop; thrend
    nop
    nop

.align 64
uniforms:
    .word memory, memory
.align 64
memory:
    .space 256

.scene qpu program 0
.scene qpu program 0
