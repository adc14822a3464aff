# SPDX-License-Identifier: MIT
# Filled paths: the face of a tiger, in VG mode.
#
# A path is a list of points. The lines between them enclose the filled area. For each path:
#
# 1. Its lines go to the coverage pipe, as right-hand trapezoids: each is the area between the line and a vertical line at the
#    left. A line downwards adds 1 to each of a pixel's 16 samples in that area, and a line upwards subtracts 1, so that samples
#    inside of the path are not 0. That is the non-zero rule. With the odd rule each line inverts the samples.
# 2. A box around the path is painted. The shader reads the coverage of its pixel, and blends the path's colour over the stored
#    colour by that amount. Reading clears the coverage for the next path.
#
# The stars at the top show both rules: their lines cross, and the path winds twice around their middle. The script
# make-tiger writes tiger.qinc.
#
# Source: manual section 8 (VG mode), table 38 (records 41, 67, 96 and 100), section 5 (coverage).

.set SCREEN_X, 256
.set SCREEN_Y, 256
.set TILES_X, 4                # tiles of 64x64 pixels
.set TILES_Y, 4
.set TILE_ALLOCATION_SIZE, 0x20000

.include "tiger.qinc"

# How a path is drawn ----------------------------------------------------------------------------------------

.macro begin_path, rule, left
    cl.configuration_bits forward, reverse, oversample=x16, coverage_pipe, coverage_update=\rule
    cl.rht_x_boundary x=left
.endm
.macro contour, points, count
    cl.vg_coordinate_array_primitives type=rht_strip, length=count, address=points
.endm
# Each path has its colour in a separate uniform. The box is in the list itself.
.macro end_path, red, green, blue, left, top, right, bottom
    cl.configuration_bits forward, reverse
    cl.vg_inline_shader_record threading=single, code=paint, uniforms=colour_\red\()_\green\()_\blue
    cl.vg_inline_primitives type=triangle_strip
    vertex.vg x=left, y=top
    vertex.vg x=left, y=bottom
    vertex.vg x=right, y=top
    vertex.vg x=right, y=bottom
    .int 0xbfff0000             # ends the list, instead of a third vertex
.endm

# Control lists ----------------------------------------------------------------------------------------------

.org 0x40010000
binning_list:
    cl.tile_binning_mode allocation_address=tile_allocation, allocation_size=TILE_ALLOCATION_SIZE, state_address=tile_state, width=TILES_X, height=TILES_Y, auto_initialise
    cl.start_tile_binning
    cl.increment_semaphore      # takes effect after the flush below
    cl.clip_window left=0, bottom=0, width=SCREEN_X, height=SCREEN_Y
    cl.viewport_offset x=0, y=0
    cl.vg_inline_shader_record threading=single, code=paint
    draw_paths
    cl.flush
binning_list_end:

.align 16
rendering_list:
    cl.wait_on_semaphore        # waits until the tile lists are complete
    cl.clear_colors color=0xFF3C4614
    cl.tile_rendering_mode address=framebuffer, width=SCREEN_X, height=SCREEN_Y, color_format=rgba8888
    # The tile buffer is cleared by a store, so store nothing once.
    cl.tile_coordinates column=0, row=0
    cl.store_tile_buffer_general buffer=none
    # Each tile runs the list that the binner wrote for it, whose first block has 32 bytes, and is stored.
.rep tile, TILES_X * TILES_Y
    cl.tile_coordinates column=tile % TILES_X, row=tile / TILES_X
    cl.branch_to_sub_list tile_allocation + tile * 32
  .if tile < TILES_X * TILES_Y - 1
    cl.store_ms_tile_buffer
  .else
    cl.store_ms_tile_buffer_and_eof
  .endif
.endr
rendering_list_end:

# Uniforms, points, shader -----------------------------------------------------------------------------------

.org 0x40000000
    colours
.align 16
# r4 receives the coverage, 0 to 255 in each byte, then the stored colour.
paint:
    mov r0, unif
    nop
    nop;              nop;      loadcv
    mov r1, r4
    not r2, r1;       nop;      loadc
    nop;              v8muld r0, r0, r1
    nop;              v8muld r2, r4, r2
    v8adds r0, r0, r2
    mov tlbc, r0;     nop;      thrend
    nop
    nop;              nop;      sbdone

.align 16
    points

# Memory that the hardware writes ----------------------------------------------------------------------------

.org 0x40020000
tile_allocation:
    .space TILE_ALLOCATION_SIZE
tile_state:
    .space 48 * TILES_X * TILES_Y

.org 0x40100000
framebuffer:
    .space SCREEN_X * SCREEN_Y * 4

.scene bin binning_list binning_list_end
.scene render rendering_list rendering_list_end
.scene image framebuffer 256 256 rgba8888 raster vg-tiger.png
