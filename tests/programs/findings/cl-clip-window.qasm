# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_state
    cl.clip_window 0, 0, WIDTH, 0
    part_configuration
    cl.viewport_offset 0, 0
    cl.clipper_xy_scaling WIDTH * 8, HEIGHT * 8
.endm

frame
