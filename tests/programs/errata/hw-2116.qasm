# SPDX-License-Identifier: MIT
# State changes after primitives more often than the binner can count.
.include "../frame.inc"

.macro part_draw
    cl.branch_to_sub_list many
.endm

.macro part_more
    .org 0x40100000
many:
    .rep i, 7940
        cl.line_width 1 + i % 8
        cl.vertex_array_primitives mode=triangles, length=3, first=3
    .endr
    cl.return_from_sub_list
.endm

.macro part_vertices
    .rep i, 6                   # the last three are equal: the binner drops this triangle, so the lists stay short
        vertex.nv x=64 + 8 * (i == 1), y=4 + 8 * (i == 2), z=0.5, inverse_w=1.0, varyings=[0.0]
    .endr
.endm

frame
