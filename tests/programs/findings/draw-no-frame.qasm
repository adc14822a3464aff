# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_configuration       # the triangle is reverse facing, but only forward faces are drawn
    cl.configuration_bits forward, depth_test=always
.endm

.macro part_draw
    cl.vertex_array_primitives mode=triangles, length=3, first=0
    cl.vertex_array_primitives mode=triangles, length=3, first=0
.endm

frame
