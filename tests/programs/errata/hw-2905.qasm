# SPDX-License-Identifier: MIT
# A multisample tile is loaded in full resolution, and then drawn with early Z.
.include "../frame.inc"

.set TILES_X, 4                 # tiles have 32x32 pixels
.set TILES_Y, 2

.macro part_binning
    cl.tile_binning_mode allocation_address=tile_allocation, allocation_size=0x4000, state_address=tile_state, width=TILES_X, height=TILES_Y, multisample, auto_initialise
    cl.start_tile_binning
.endm

.macro part_configuration
    cl.configuration_bits forward, reverse, depth_test=lt, z_updates, early_z, early_z_updates
.endm

.macro part_rendering
    cl.tile_rendering_mode address=framebuffer, width=WIDTH, height=HEIGHT, color_format=rgba8888, multisample, decimate=x4
.endm

.macro part_load, tile
    cl.load_full_res_tile_buffer samples
.endm

.macro part_shader
    mov r0, vary
    nop
    mov tlbz, rb15
    draw_white
.endm

.macro part_more
    .org 0x40030000
samples:
    .fill 4096, 4, 0xff00ffff
    .fill 4096, 4, 0xffffff00   # Z
.endm

frame
