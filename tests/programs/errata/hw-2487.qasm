# SPDX-License-Identifier: MIT
# A varying is read after a thread switch.
.include "../frame.inc"

.macro part_record
    shader.nv stride=16, varyings=1, code=shader, uniforms=uniforms, vertices=vertices
.endm

.macro part_shader
    nop
    nop; nop; lthrsw
    nop
    nop
    mov r0, vary
    nop
    draw_white
.endm

frame
