# SPDX-License-Identifier: MIT
.org 0x40000000
# tessera: kind user
program:
    mov r0, 0
    .rep i, 3                   # each request uses two of the eight slots
        mov t0t, r0
        mov t0s, r0
    .endr
    nop; nop; lthrsw
    nop
    nop
    .rep i, 3
        nop; nop; ldtmu0
        mov r1, r4
    .endr
    nop; nop; thrend
    nop
    nop

.align 16
uniforms:
    .rep i, 3
        uniform.texture base=texture, type=rgba8888, width=4, height=4, mag_filter=nearest, min_filter=nearest
    .endr

.align 4096
texture:
    .space 64

.scene qpu program uniforms 6
