# SPDX-License-Identifier: MIT
# A draw with an NV shader follows a draw with a VG shader.
.include "../frame.inc"

.macro part_draw
    cl.vg_shader_state vg_record
    cl.vg_coordinate_array_primitives type=triangles, length=3, address=coordinates
    cl.nv_shader_state shader_record
    cl.vertex_array_primitives mode=triangles, length=3, first=0
.endm

.macro part_shader_state
.endm

.macro part_more
    .org 0x40030000
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
