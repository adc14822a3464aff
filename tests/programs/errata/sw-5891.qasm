# SPDX-License-Identifier: MIT
# Vertices after number 65535 of an array: their numbers wrap.
.include "../frame.inc"

.macro part_draw
    cl.vertex_array_primitives mode=triangles, length=3, first=65536
.endm

frame
