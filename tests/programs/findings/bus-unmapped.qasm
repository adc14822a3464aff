# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_shader
    mov r0, vary
    nop
    mov r1, unif
    draw_white
.endm

.macro part_record
    shader.nv single_threaded, stride=16, varyings=1, code=shader, uniforms=0x3f000000, vertices=vertices
.endm

frame
