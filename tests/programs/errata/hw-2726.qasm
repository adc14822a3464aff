# SPDX-License-Identifier: MIT
# The point size is below 0.125.
.include "../frame.inc"

.macro part_state
    cl.clip_window 0, 0, WIDTH, HEIGHT
    part_configuration
    cl.viewport_offset 0, 0
    cl.point_size 0.0625
.endm

.macro part_draw
    cl.vertex_array_primitives mode=points, length=3, first=0
.endm

.macro part_shader              # the first two varyings are the position within the point
    # tessera: varyings 3
    mov r0, vary
    mov r0, vary
    mov r0, vary
    draw_white
.endm

frame
