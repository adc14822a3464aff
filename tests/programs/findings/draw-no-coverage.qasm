# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_configuration       # early Z goes with early coverage
    cl.configuration_bits forward, reverse, depth_test=always, early_z
.endm

.macro part_rendering           # no shape has been drawn through the coverage pipe
    cl.tile_rendering_mode address=framebuffer, width=WIDTH, height=HEIGHT, color_format=rgba8888, coverage
.endm

frame
