# SPDX-License-Identifier: MIT
# A line loop of two vertices, which the hardware does not draw.
.include "../frame.inc"

.macro part_draw
    cl.vertex_array_primitives mode=line_loop, length=2, first=0
.endm

frame
