# SPDX-License-Identifier: MIT
# One of the vertices has point size 0.
.include "../frame.inc"

.macro part_record
    shader.nv single_threaded, point_size, stride=20, varyings=1, code=shader, uniforms=uniforms, vertices=vertices
.endm

.macro part_draw
    cl.vertex_array_primitives mode=points, length=3, first=0
.endm

.macro part_vertices
    vertex.nv x=64, y=4, z=0.5, inverse_w=1.0, point_size=8, varyings=[0.0]
    vertex.nv x=4, y=60, z=0.5, inverse_w=1.0, point_size=0, varyings=[0.5]
    vertex.nv x=124, y=60, z=0.5, inverse_w=1.0, point_size=8, varyings=[1.0]
.endm

.macro part_shader              # the first two varyings are the position within the point
    # tessera: varyings 3
    mov r0, vary
    mov r0, vary
    mov r0, vary
    draw_white
.endm

frame
