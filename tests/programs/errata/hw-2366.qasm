# SPDX-License-Identifier: MIT
# A triangle between two shader states covers no pixel.
.include "../frame.inc"

.macro part_draw
    cl.vertex_array_primitives mode=triangles, length=3, first=3
    cl.nv_shader_state shader_record
    cl.vertex_array_primitives mode=triangles, length=3, first=0
.endm

.macro part_vertices
    vertex.nv x=64, y=4, z=0.5, inverse_w=1.0, varyings=[0.0]
    vertex.nv x=4, y=60, z=0.5, inverse_w=1.0, varyings=[0.5]
    vertex.nv x=124, y=60, z=0.5, inverse_w=1.0, varyings=[1.0]
    vertex.nv x=10.0625, y=10, z=0.5, inverse_w=1.0, varyings=[0.0]
    vertex.nv x=10, y=10.0625, z=0.5, inverse_w=1.0, varyings=[0.0]
    vertex.nv x=10.0625, y=10.0625, z=0.5, inverse_w=1.0, varyings=[0.0]
.endm

frame
