# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_binning             # the tile states begin at the second tile's first block
    cl.tile_binning_mode allocation_address=tile_allocation, allocation_size=0x4000, state_address=tile_allocation + 32, width=TILES_X, height=TILES_Y, auto_initialise
    cl.start_tile_binning
.endm

frame
