# SPDX-License-Identifier: MIT
.include "../frame.inc"

.set TILES_Y, 2                 # tiles have 64x32 pixels

.macro part_binning
    cl.tile_binning_mode allocation_address=tile_allocation, allocation_size=0x4000, state_address=tile_state, width=TILES_X, height=TILES_Y, double_buffer, auto_initialise
    cl.start_tile_binning
.endm

.macro part_rendering
    cl.tile_rendering_mode address=framebuffer, width=WIDTH, height=HEIGHT, color_format=rgba8888, double_buffer
.endm

.macro part_store
    cl.store_tile_buffer_general buffer=color, address=framebuffer, disable_color_clear
.endm

.macro part_first_store
    cl.tile_coordinates 0, 0
    cl.store_tile_buffer_general buffer=none
    cl.tile_coordinates 0, 0
    cl.store_tile_buffer_general buffer=none
.endm

frame
