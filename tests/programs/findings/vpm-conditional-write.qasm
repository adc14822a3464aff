# SPDX-License-Identifier: MIT
.include <vc4.qinc>

.org 0x40000000
# tessera: kind user
program:
    sub.setf -, elem_num, 8
    ldi vw_setup, vpm_setup(0, 1, h32(0))
    mov.ifn vpm, 1
    nop; nop; thrend
    nop
    nop

.align 16
uniforms:
    .word memory, memory
memory:
    .space 256

.scene qpu program uniforms 2
