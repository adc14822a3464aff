# SPDX-License-Identifier: MIT
# Uniforms: a triangle whose colour comes from four float uniforms (0, 1, 0, 1: green), each packed into a byte
# by the mul ALU.
#
# Source: the article "Shaders, Uniforms, and Varyings".

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

# Shader record, uniforms, vertices and shader ---------------------------------------------------------------

.org 0x40000000
shader_record:
    shader.nv stride=3 * 4, code=fragment_shader, uniforms=uniforms, vertices=vertices

uniforms:
    .single 0.0                 # red
    .single 1.0                 # green
    .single 0.0                 # blue
    .single 1.0                 # alpha

vertices:
    vertex.nv x=320, y=32, z=1.0, inverse_w=1.0
    vertex.nv x=32, y=448, z=1.0, inverse_w=1.0
    vertex.nv x=608, y=448, z=1.0, inverse_w=1.0

.align 16
fragment_shader:
    # 1.0 is a small immediate. Each float is clamped to 0..1 ("s") and packed into one byte of r5.
    # The article prints the first of these words; the others differ only in the pack field.
    .int 0x20820DF7, 0xD14059E5     # fmul r5quad.8as, unif, 1.0
    .int 0x20820DF7, 0xD15059E5     # fmul r5quad.8bs, unif, 1.0
    .int 0x20820DF7, 0xD16059E5     # fmul r5quad.8cs, unif, 1.0
    .int 0x20820DF7, 0xD17059E5     # fmul r5quad.8ds, unif, 1.0
    mov tlbc, r5
    nop; nop; sbdone
    nop; nop; thrend            # no uniform may be read from here on
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
.scene image framebuffer 640 480 rgba8888 raster uniform-colour.png
