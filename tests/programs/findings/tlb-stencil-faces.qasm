# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_draw
    cl.vertex_array_primitives mode=triangles, length=6, first=0
.endm

.macro part_vertices
# two triangles with opposite facing, whose quads fit into one batch
    vertex.nv x=0, y=0, z=0.5, inverse_w=1.0, varyings=[0.0]
    vertex.nv x=2, y=0, z=0.5, inverse_w=1.0, varyings=[0.0]
    vertex.nv x=0, y=2, z=0.5, inverse_w=1.0, varyings=[0.0]
    vertex.nv x=4, y=0, z=0.5, inverse_w=1.0, varyings=[0.0]
    vertex.nv x=2, y=2, z=0.5, inverse_w=1.0, varyings=[0.0]
    vertex.nv x=4, y=2, z=0.5, inverse_w=1.0, varyings=[0.0]
.endm

.macro part_shader
    mov r0, vary
    nop
    ldi stencil, 1 << 30 | 7 << 16 | 0xff   # front faces only
    mov tlbz, rb15
    nop
    nop
    draw_white
.endm

frame
