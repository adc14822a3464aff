# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_shader_state
    cl.vg_shader_state vg_record
.endm

.macro part_draw
    cl.vg_coordinate_array_primitives type=triangles, length=3, address=coordinates
    cl.vg_coordinate_array_primitives type=triangles, continuation=1, length=3, address=coordinates
.endm

.macro part_more
vg_record:
    shader.vg code=vg_shader, uniforms=uniforms
coordinates:
    vertex.vg 8, 8
    vertex.vg 56, 8
    vertex.vg 8, 56
    .align 8
vg_shader:
    nop
    nop
    draw_white
.endm

frame
