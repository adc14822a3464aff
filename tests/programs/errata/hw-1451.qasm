# SPDX-License-Identifier: MIT
# The exp function reads a number between -128 and -127.
.org 0x40000000
# tessera: kind user
program:
    ldi exp, -127.5
    nop
    nop
    mov r0, r4
    nop; nop; thrend
    nop
    nop

.scene qpu program 0
