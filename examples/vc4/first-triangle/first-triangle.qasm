# SPDX-License-Identifier: MIT
# First triangle: white on yellow, 640x480, with vertices that are already shaded (NV mode).
#
# Source: the article "First Triangle". Its list draws 9 vertices, but its vertex data ends after 3.
#         The other two triangles would use unrelated data, so this scene draws 3.
#
#   tessera asm -m qpu -f elf -o first-triangle.elf first-triangle.qasm
#   tessera run first-triangle.elf

.set SCREEN_X, 640
.set SCREEN_Y, 480
.set TILES_X, 10                # tiles of 64x64 pixels
.set TILES_Y, 8                 # 7.5, rounded up
.set TILE_ALLOCATION_SIZE, 0x10000

# Control lists ----------------------------------------------------------------------------------------------

.org 0x40010000
binning_list:
    cl.tile_binning_mode allocation_address=tile_allocation, allocation_size=TILE_ALLOCATION_SIZE, state_address=tile_state, width=TILES_X, height=TILES_Y, auto_initialise
    cl.start_tile_binning
    cl.increment_semaphore      # takes effect after the flush below
    cl.clip_window left=0, bottom=0, width=SCREEN_X, height=SCREEN_Y
    cl.configuration_bits forward, reverse, early_z_updates
    cl.viewport_offset x=0, y=0 # vertices are in pixels from the corner
    cl.nv_shader_state shader_record
    cl.vertex_array_primitives mode=triangles, length=3, first=0
    cl.flush
binning_list_end:

.align 16
rendering_list:
    cl.wait_on_semaphore        # waits until the tile lists are complete
    cl.clear_colors color=0xFF00FFFF
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

# Shader record, vertices and shader -------------------------------------------------------------------------

.org 0x40000000
shader_record:
    # The article calls flags 0 single-threaded; by the manual, bit 0 set means single-threaded.
    shader.nv stride=3 * 4, code=fragment_shader, vertices=vertices

vertices:
    vertex.nv x=320, y=32, z=1.0, inverse_w=1.0
    vertex.nv x=32, y=448, z=1.0, inverse_w=1.0
    vertex.nv x=608, y=448, z=1.0, inverse_w=1.0

.align 16
fragment_shader:
    nop                         # the first two instructions must not touch the tile buffer:
    nop                         # not in the article
    ldi tlbc, 0xFFFFFFFF
    nop; nop; sbdone
    nop; nop; thrend
    nop
    nop

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
.scene image framebuffer 640 480 rgba8888 raster first-triangle.png
