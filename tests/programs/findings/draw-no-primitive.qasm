# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_draw
    cl.vertex_array_primitives mode=triangles, length=2, first=0
.endm

frame
