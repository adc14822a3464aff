# SPDX-License-Identifier: MIT
# Mip-maps: a floor that extends to the horizon, in four stripes, each with another minification filter:
#
#   nearest: level 0 alone   near_mip_near: one level   lin_mip_near: one level,   lin_mip_lin: two levels,
#   flickers far away        and one texel of it        smooth inside              no steps between them
#
# Each level of the texture has its own colour, which shows where the level is used: 0 red, 1 orange, 2 yellow, 3 green,
# 4 cyan, 5 blue, 6 violet. The texture unit selects the level by the distance of the coordinates of neighbouring pixels.
#
# In memory level 1 ends where level 0 begins, level 2 ends where level 1 begins, and so on. Levels of 64 and 32 texels
# are in T-format, the smaller ones in LT-format, padded to microtiles of 4x4 texels.
#
# Source: manual section 4 and section 11; Mesa (vc4_resource.c) for the order of the levels.

.set SCREEN_X, 256
.set SCREEN_Y, 256
.set TILES_X, 4                # tiles of 64x64 pixels
.set TILES_Y, 4
.set TILE_ALLOCATION_SIZE, 0x4000
.set SIZE, 64                   # texels of level 0

# Control lists ----------------------------------------------------------------------------------------------

.org 0x40010000
binning_list:
    cl.tile_binning_mode allocation_address=tile_allocation, allocation_size=TILE_ALLOCATION_SIZE, state_address=tile_state, width=TILES_X, height=TILES_Y, auto_initialise
    cl.start_tile_binning
    cl.increment_semaphore      # takes effect after the flush below
    cl.clip_window left=0, bottom=0, width=SCREEN_X, height=SCREEN_Y
    cl.configuration_bits forward, reverse
    cl.viewport_offset x=0, y=0 # vertices are in pixels from the corner
.rep stripe, 4
    cl.nv_shader_state records + stripe * 16
    cl.vertex_array_primitives mode=triangle_strip, length=4, first=stripe * 4
.endr
    cl.flush
binning_list_end:

.align 16
rendering_list:
    cl.wait_on_semaphore        # waits until the tile lists are complete
    cl.clear_colors color=0xFF604020
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

# Shader records, uniforms, vertices -------------------------------------------------------------------------

.org 0x40000000
records:
.rep stripe, 4
    shader.nv single_threaded, stride=3 * 4 + 2 * 4, varyings=2, code=fragment_shader, uniforms=uniforms + stripe * 8, vertices=vertices
.endr

uniforms:
    uniform.texture base=texture, type=rgba8888, width=SIZE, height=SIZE, levels=7, mag_filter=nearest, min_filter=nearest
    uniform.texture base=texture, type=rgba8888, width=SIZE, height=SIZE, levels=7, mag_filter=nearest, min_filter=near_mip_near
    uniform.texture base=texture, type=rgba8888, width=SIZE, height=SIZE, levels=7, mag_filter=linear, min_filter=lin_mip_near
    uniform.texture base=texture, type=rgba8888, width=SIZE, height=SIZE, levels=7, mag_filter=linear, min_filter=lin_mip_lin

# The floor: at the distance d, x is 128 + 44 X / d and y is 16 + 120 / d. The varyings are s and t.
.macro floor_point, floor_x, d, s
    vertex.nv x=128 + 44 * floor_x / d, y=16 + 120 / d, z=1.0, inverse_w=1 / d, varyings=[s, 3 * d]
.endm
vertices:
.rep stripe, 4
    .set left, stripe - 2.0
    floor_point left, 8.0, 0.0
    floor_point left, 0.5, 0.0
    floor_point left + 1, 8.0, 0.5
    floor_point left + 1, 0.5, 0.5
.endr

.align 16
fragment_shader:
    fmul r0, vary, ra15
    fadd r0, r0, r5;  fmul r1, vary, ra15
    fadd t0t, r1, r5            # reads the first word of uniform.texture
    mov t0s, r0                 # reads the second word and starts the lookup
    nop; nop; ldtmu0
    mov tlbc, r4;     nop;      thrend
    nop
    nop;              nop;      sbdone

# Texture ----------------------------------------------------------------------------------------------------

# The texel (x, y) of a level of "size" texels: a board of 8x8 fields.
.macro texel, x, y, size, red, green, blue
    .lset field, size < 8 ? 1 : size / 8
    .lset bright, (x / field + y / field) & 1 ? 255 : 120
    .byte red * bright / 255, green * bright / 255, blue * bright / 255, 255
.endm

# Microtiles in rows. A level of less than 4x4 texels is padded with black.
.macro level_lt, size, red, green, blue
    .lset across, size < 4 ? 1 : size / 4
  .rep number, across * across * 16
    .lset x, (number >> 4) % across * 4 + (number & 3)
    .lset y, (number >> 4) / across * 4 + (number >> 2 & 3)
    .if x < size && y < size
      texel x, y, size, red, green, blue
    .else
      .int 0
    .endif
  .endr
.endm

# Tiles of 32x32 texels: see textured-triangle.
.macro level_t, size, red, green, blue
    .lset across, size / 32
  .rep number, size * size
    .lset tile_y, (number >> 10) / across
    .lset odd, tile_y & 1
    .lset tile_x, odd ? across - 1 - (number >> 10) % across : (number >> 10) % across
    .lset slot, number >> 8 & 3
    .lset x, tile_x * 32 + ((slot >> 1) ^ odd) * 16 + (number >> 4 & 3) * 4 + (number & 3)
    .lset y, tile_y * 32 + ((slot + 1 >> 1 & 1) ^ odd) * 16 + (number >> 6 & 3) * 4 + (number >> 2 & 3)
    texel x, y, size, red, green, blue
  .endr
.endm

.org 0x40302000 - 4 * (32 * 32 + 16 * 16 + 8 * 8 + 3 * 16)
    level_lt 1, 224, 64, 255
    level_lt 2, 64, 96, 255
    level_lt 4, 64, 240, 240
    level_lt 8, 64, 224, 64
    level_lt 16, 240, 240, 64
    level_t 32, 255, 160, 32
texture:
    level_t SIZE, 255, 64, 48

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
.scene image framebuffer 256 256 rgba8888 raster mip-maps.png
