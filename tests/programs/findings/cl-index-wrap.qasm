# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_draw
    cl.vertex_array_primitives mode=triangles, length=3, first=65536
.endm

frame
