# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_steps
    .scene bin binning_list binning_end
.endm

.macro part_binning
    cl.tile_binning_mode allocation_address=tile_allocation, allocation_size=0x1000, state_address=tile_state, width=TILES_X, height=TILES_Y, auto_initialise
    cl.start_tile_binning
.endm

.macro part_draw
    cl.branch_to_sub_list many
.endm

.macro part_more
.org 0x40100000
many:
    .rep i, 500
    cl.configuration_bits forward, reverse, depth_test=i & 7
    cl.vertex_array_primitives mode=triangles, length=3, first=0
    .endr
    cl.return_from_sub_list
.endm

frame
