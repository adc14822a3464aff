# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_steps
    .scene bin binning_list binning_end
.endm

.macro part_binning
    cl.start_tile_binning
    cl.tile_binning_mode allocation_address=tile_allocation, allocation_size=0x4000, state_address=tile_state, width=TILES_X, height=TILES_Y, auto_initialise
.endm

frame
