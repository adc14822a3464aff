# SPDX-License-Identifier: MIT
# A raster frame of more than 1024 rows. Only the tiles at its top are drawn.
.include "../frame.inc"

.macro part_rendering
    cl.tile_rendering_mode address=framebuffer, width=WIDTH, height=1088, color_format=rgba8888
.endm

frame
