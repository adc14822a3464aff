# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_state               # all vertices have z = 0.5, below the minimum of 0.75
    cl.clip_window 0, 0, WIDTH, HEIGHT
    part_configuration
    cl.viewport_offset 0, 0
    cl.z_min_max 0.75, 1.0
.endm

frame
