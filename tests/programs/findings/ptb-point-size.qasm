# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_draw
    cl.point_size 0.0625
    cl.vertex_array_primitives mode=points, length=3, first=0
.endm

.macro part_shader
# tessera: varyings 3
    mov r0, vary                # the first two varyings are the position within the point
    mov r0, vary
    mov r0, vary
    draw_white
.endm

frame
