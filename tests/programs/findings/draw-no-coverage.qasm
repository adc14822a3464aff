# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_configuration       # early Z also enables the early coverage test
    cl.configuration_bits forward, reverse, depth_test=always, early_z
.endm

.macro part_rendering           # no earlier draw uses the coverage pipe
    cl.tile_rendering_mode address=framebuffer, width=WIDTH, height=HEIGHT, color_format=rgba8888, coverage
.endm

frame
