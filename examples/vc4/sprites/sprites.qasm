# SPDX-License-Identifier: MIT
# Sprites: points of 12 to 62 pixels and one of 96, each with its own size and colour, and one texture for all. The
# texture's alpha marks visible texels. A conditional write to the tile buffer skips the others.
#
# A point has two varyings more than its vertex: the pixel's position in the point, x from 0 at the left to 1, y from 0 at
# the greater memory row (here: the bottom) to 1. They come first, and the shader record does not count them.
#
# Source: manual section 9 (NV shader record: point size in the vertex) and section 4; docs/vc4/pse.md for the two varyings.

.include <vc4.qinc>

.set SCREEN_X, 256
.set SCREEN_Y, 256
.set TILES_X, 4                 # tiles of 64x64 pixels
.set TILES_Y, 4
.set TILE_ALLOCATION_SIZE, 0x4000
.set POINTS, 21                 # around the central point

# Control lists ----------------------------------------------------------------------------------------------

.org 0x40010000
binning_list:
    cl.tile_binning_mode allocation_address=tile_allocation, allocation_size=TILE_ALLOCATION_SIZE, state_address=tile_state, width=TILES_X, height=TILES_Y, auto_initialise
    cl.start_tile_binning
    cl.increment_semaphore      # takes effect after the flush below
    cl.clip_window left=0, bottom=0, width=SCREEN_X, height=SCREEN_Y
    cl.configuration_bits forward, reverse
    cl.viewport_offset x=0, y=0 # vertices are in pixels from the corner
    cl.nv_shader_state shader_record
    cl.vertex_array_primitives mode=points, length=POINTS + 1, first=0
    cl.flush
binning_list_end:

.align 16
rendering_list:
    cl.wait_on_semaphore        # waits until the tile lists are complete
    cl.clear_colors color=0xFF402010
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

# Shader record, uniforms, vertices --------------------------------------------------------------------------

.org 0x40000000
shader_record:
    shader.nv single_threaded, point_size, stride=4 * 4 + 3 * 4, varyings=3, code=fragment_shader, uniforms=uniforms, vertices=vertices

uniforms:
    uniform.texture base=texture, type=rgba8888, width=16, height=16, mag_filter=nearest, min_filter=nearest, wrap_s=clamp, wrap_t=clamp

vertices:                       # the varyings are red, green and blue
    vertex.nv x=128, y=128, z=1.0, inverse_w=1.0, point_size=96, varyings=[1.0, 1.0, 1.0]
.rep i, POINTS
    .set angle, i * M_2PI / POINTS
    vertex.nv x=128 + 90 * cos(angle), y=128 + 90 * sin(angle), z=1.0, inverse_w=1.0, point_size=12 + i * 2.5, varyings=[0.5 + 0.5 * cos(angle), 0.5 + 0.5 * cos(angle - M_2PI / 3), 0.5 + 0.5 * cos(angle + M_2PI / 3)]
.endr

.align 16
fragment_shader:
    # tessera: varyings 5
    fmul r0, vary, ra15                     # x in the point
    fadd r0, r0, r5;  fmul r1, vary, ra15   # y
    fadd t0t, r1, r5; fmul r1, vary, ra15   # red
    mov t0s, r0                             # starts the lookup
    fadd r1, r1, r5;  fmul r2, vary, ra15   # green
    fadd r2, r2, r5;  fmul r0, vary, ra15   # blue
    fadd r0, r0, r5
    ldi r3, 0xff000000
    nop;              fmul r3.8as, r1, 1.0
    nop;              fmul r3.8bs, r2, 1.0
    nop;              fmul r3.8cs, r0, 1.0
    ldi r1, 0xff000000
    nop; nop; ldtmu0                        # r4: the texel
    and.setf -, r4, r1; v8muld r0, r4, r3   # sets Z if alpha is 0; the texel times this point's colour
    mov.ifnz tlbc, r0
    nop; nop; thrend
    nop
    nop; nop; sbdone

# Texture ----------------------------------------------------------------------------------------------------

# A ball, lit from the upper left: 16x16 texels in LT-format, row 0 at the bottom.
.align 4096
texture:
.rep texel, 16 * 16
    # texel: row and column of the microtile in bits 7:6 and 5:4, of the texel in 3:2 and 1:0
    .set x, (texel >> 4 & 3) * 4 + (texel & 3)
    .set y, (texel >> 6 & 3) * 4 + (texel >> 2 & 3)
    .set light, 255 - 3 * ((x - 4) * (x - 4) + (y - 11) * (y - 11)) / 2
    .if (2 * x - 15) * (2 * x - 15) + (2 * y - 15) * (2 * y - 15) < 240
        .byte light, light, light, 255
    .else
        .byte 0, 0, 0, 0
    .endif
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
.scene image framebuffer 256 256 rgba8888 raster sprites.png
