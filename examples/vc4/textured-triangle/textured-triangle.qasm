# SPDX-License-Identifier: MIT
# A triangle with a T-format RGBA8888 texture of 96x64 texels: 3x2 tiles of 4 KiB, so that every
# rule of the format shows.
#
# A texel contains its position: R = 2 * x, G = 2 * y; B is a checker-board.
#
# Source: manual section 11 for the format, section 4 (tables 15 to 19) for the texture's
#         parameters; the article "Texturing" for the shader.

.set SCREEN_X, 640
.set SCREEN_Y, 480
.set TILES_X, 10                # tiles of 64x64 pixels
.set TILES_Y, 8                 # 7.5, rounded up
.set TILE_ALLOCATION_SIZE, 0x10000

.set TEXTURE_WIDTH, 96
.set TEXTURE_HEIGHT, 64

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
    shader.nv stride=3 * 4 + 2 * 4, varyings=2, code=fragment_shader, uniforms=uniforms, vertices=vertices

uniforms:
    uniform.texture base=texture, type=rgba8888, width=TEXTURE_WIDTH, height=TEXTURE_HEIGHT, mag_filter=nearest, min_filter=nearest, wrap_s=clamp, wrap_t=clamp

vertices:                       # the varyings are s and t
    vertex.nv x=320, y=32, z=1.0, inverse_w=1.0, varyings=[0.5, 0.0]
    vertex.nv x=32, y=448, z=1.0, inverse_w=1.0, varyings=[0.0, 1.0]
    vertex.nv x=608, y=448, z=1.0, inverse_w=1.0, varyings=[1.0, 1.0]

.align 16
fragment_shader:
    # Numbers are the article's own words, as its assembler fills unused fields differently.
    .int 0x203E3DF7, 0x110059E0     # fmul r0, ra15, vary: S * W
    .int 0x213E3177, 0x11024821     # fadd r0, r0, r5; fmul r1, ra15, vary: S * W + C; T * W
    .int 0x013E3377, 0x11020E67     # fadd t0t, r1, r5: T * W + C; reads the first word of uniform.texture
    .int 0x159E7000, 0x10020E27     # mov t0s, r0: reads the second and starts the lookup
    nop; nop; ldtmu0                # the texel arrives in r4
    .int 0x159E7924, 0x10020BA7     # mov tlbc, r4
    nop; nop; sbdone
    nop; nop; thrend
    nop
    nop

# Texture ----------------------------------------------------------------------------------------------------

# Texels in the order of their addresses. A 4 KiB tile has 32x32 texels, in four subtiles of 16x16; a subtile
# has 4x4 microtiles of 4x4 texels. Even rows of tiles run left to right, and their subtiles are (0,0) (0,1)
# (1,1) (1,0); odd rows run right to left, with subtiles (1,1) (1,0) (0,0) (0,1). Written as (x, y).
.set TILES_ACROSS, TEXTURE_WIDTH / 32

.org 0x40300000
texture:
.rep tile, TEXTURE_WIDTH / 32 * (TEXTURE_HEIGHT / 32)
    .set tile_y, tile / TILES_ACROSS
    .set odd, tile_y & 1
    .set tile_x, odd ? TILES_ACROSS - 1 - tile % TILES_ACROSS : tile % TILES_ACROSS
    .rep texel, 1024
        # texel: subtile in bits 9:8, row and column of the microtile in 7:6 and 5:4, of the texel in 3:2 and 1:0
        .set slot, texel >> 8
        .set subtile_x, (slot >> 1) ^ odd
        .set subtile_y, ((slot + 1) >> 1 & 1) ^ odd
        .set x, tile_x * 32 + subtile_x * 16 + (texel >> 4 & 3) * 4 + (texel & 3)
        .set y, tile_y * 32 + subtile_y * 16 + (texel >> 6 & 3) * 4 + (texel >> 2 & 3)
        .byte x * 2, y * 2, ((x ^ y) & 1) ? 0x40 : 0xC0, 255
    .endr
.endr

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
.scene image framebuffer 640 480 rgba8888 raster textured-triangle.png
