# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_binning             # the last 16 bytes overlap the tile states
    cl.tile_binning_mode allocation_address=tile_allocation, allocation_size=0x4010, state_address=tile_state, width=TILES_X, height=TILES_Y, auto_initialise
    cl.start_tile_binning
.endm

frame
