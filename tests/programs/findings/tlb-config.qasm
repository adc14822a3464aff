# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_rendering
    cl.tile_rendering_mode address=framebuffer, width=0, height=HEIGHT, color_format=rgba8888
.endm

frame
