# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_shader
    mov r0, vary
    nop
    nop; nop; sbwait
    nop; nop; lthrsw
    nop
    nop
    draw_white
.endm

.macro part_record
    shader.nv stride=16, varyings=1, code=shader, uniforms=uniforms, vertices=vertices
.endm

frame
