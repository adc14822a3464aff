# SPDX-License-Identifier: MIT
# A shader with two threads does not mark its last thread switch, so threads may end out of order.
.include "../frame.inc"

.macro part_record
    shader.nv stride=16, varyings=1, code=shader, uniforms=uniforms, vertices=vertices
.endm

.macro part_shader
    mov r0, vary
    nop; nop; thrsw
    nop
    nop
    draw_white
.endm

frame
