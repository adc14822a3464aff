# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_shader
    mov r0, vary
    nop
    mov r0, unif
    mov r0, unif
    draw_white
.endm

.macro part_record
    shader.nv single_threaded, stride=16, uniform_count=1, varyings=1, code=shader, uniforms=uniforms, vertices=vertices
.endm

frame
