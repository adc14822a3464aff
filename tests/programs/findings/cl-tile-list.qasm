# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_binning             # a column of two tiles, but the image is a row of two tiles
    cl.tile_binning_mode allocation_address=tile_allocation, allocation_size=0x4000, state_address=tile_state, width=TILES_Y, height=TILES_X, auto_initialise
    cl.start_tile_binning
.endm

frame
