# SPDX-License-Identifier: MIT
# A draw uses vertices after number 65535 of an array. Their numbers wrap around.
.include "../frame.inc"

.macro part_draw
    cl.vertex_array_primitives mode=triangles, length=3, first=65536
.endm

frame
