# SPDX-License-Identifier: MIT
# The instruction before a thread switch writes a TMU request.
.include "../frame.inc"

.macro part_record
    shader.nv stride=16, varyings=1, code=shader, uniforms=uniforms, vertices=vertices
.endm

.macro part_shader
    mov r0, vary
    nop
    mov t0t, 0
    mov t0s, 0
    nop; nop; lthrsw
    nop
    nop
    nop; nop; ldtmu0
    mov r0, r4
    draw_white
.endm

frame
