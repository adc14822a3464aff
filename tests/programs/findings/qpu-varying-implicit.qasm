# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_draw
    cl.point_size 4
    cl.vertex_array_primitives mode=points, length=3, first=0
.endm

frame
