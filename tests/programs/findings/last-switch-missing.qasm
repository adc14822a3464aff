# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_record
    shader.nv stride=16, varyings=1, code=shader, uniforms=uniforms, vertices=vertices
.endm

.macro part_shader
    mov ra1, vary
.ifset FIXED
    nop; nop; lthrsw
.else
    nop; nop; thrsw         # the last thread switch, without the last-switch signal
.endif
    nop
    nop
    draw_white
.endm

frame
