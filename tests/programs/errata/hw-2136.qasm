# SPDX-License-Identifier: MIT
# A raster frame has more than 1024 rows. The rendering list draws only the tiles at the top.
.include "../frame.inc"

.macro part_rendering
    cl.tile_rendering_mode address=framebuffer, width=WIDTH, height=1088, color_format=rgba8888
.endm

frame
