# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_draw
    cl.indexed_primitive_list mode=triangles, length=3, address=indices, maximum_index=1
.endm

.macro part_more
indices:
    .byte 0, 1, 2
.endm

frame
