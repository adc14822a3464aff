# SPDX-License-Identifier: MIT
# A cube map: a mirror ball in a room whose six walls are the faces of the map. Each wall has a colour, a
# checker-board, and a white field at its first texels: +X red, -X cyan, +Y green, -Y magenta, +Z yellow, -Z blue.
#
# The picture is one square. For each pixel the shader computes the direction to look up: outside of the ball the
# view direction, (x, y, -1); on the ball the reflected view direction. It divides the direction by its greatest
# component, which selects the face in the texture unit.
#
# Source: manual section 4 (tables 15 to 17: cube map mode and stride); the OpenGL ES 2.0 specification, table
#         3.10, for the axes of each face.

.set SCREEN_X, 256
.set SCREEN_Y, 256
.set TILES_X, 4                # tiles of 64x64 pixels
.set TILES_Y, 4
.set TILE_ALLOCATION_SIZE, 0x4000
.set FACE, 32                   # texels: one tile of 4 KiB

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
    cl.vertex_array_primitives mode=triangle_strip, length=4, first=0
    cl.flush
binning_list_end:

.align 16
rendering_list:
    cl.wait_on_semaphore        # waits until the tile lists are complete
    cl.clear_colors color=0xFF000000
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
    shader.nv single_threaded, stride=3 * 4 + 2 * 4, varyings=2, code=fragment_shader, uniforms=uniforms, vertices=vertices

uniforms:
    uniform.texture base=texture, type=rgba8888, width=FACE, height=FACE, cube_map, mag_filter=linear, min_filter=linear, wrap_s=clamp, wrap_t=clamp
    uniform.cube_map stride=4096, ptype=1

vertices:                       # the varyings are x and y; the ball has the radius 1
    vertex.nv x=0, y=0, z=1.0, inverse_w=1.0, varyings=[-1.25, 1.25]
    vertex.nv x=0, y=SCREEN_Y, z=1.0, inverse_w=1.0, varyings=[-1.25, -1.25]
    vertex.nv x=SCREEN_X, y=0, z=1.0, inverse_w=1.0, varyings=[1.25, 1.25]
    vertex.nv x=SCREEN_X, y=SCREEN_Y, z=1.0, inverse_w=1.0, varyings=[1.25, -1.25]

.align 16
fragment_shader:
    fmul r0, vary, ra15
    fadd r0, r0, r5;  fmul r1, vary, ra15   # x
    fadd r1, r1, r5;  fmul r2, r0, r0       # y
    fsub r2, 1.0, r2; fmul r3, r1, r1
    fsub.setf r2, r2, r3                    # z * z of the ball's surface; negative outside
    mov recipsqrt, r2
    nop                                     # r4 can be read from the third instruction after the request
    nop
    nop;              fmul r3, r2, r4       # z
    fadd r3, r3, r3
    # The view (0, 0, -1), reflected where the normal is (x, y, z): (2zx, 2zy, 2zz - 1).
    fadd r2, r2, r2;  fmul.ifnn r0, r0, r3
    fsub.ifn r2, r2, r2; fmul.ifnn r1, r1, r3
    fsub r2, r2, 1.0
    # Divided by the greatest.
    fmaxabs r3, r0, r1
    fmaxabs r3, r3, r2
    mov recip, r3
    nop
    nop
    nop;              fmul t0r, r2, r4      # each write reads a word of the uniforms; the third is the stride
    nop;              fmul t0t, r1, r4
    nop;              fmul t0s, r0, r4
    nop; nop; ldtmu0
    mov tlbc, r4;     nop;      thrend
    nop
    nop;              nop;      sbdone

# Texture ----------------------------------------------------------------------------------------------------

# One face: a tile of four subtiles of 16x16 texels, which are (0,0) (0,1) (1,1) (1,0).
.macro face, red, green, blue
  .rep texel, FACE * FACE
    # texel: subtile in bits 9:8, row and column of the microtile in 7:6 and 5:4, of the texel in 3:2 and 1:0
    .lset slot, texel >> 8
    .lset x, (slot >> 1) * 16 + (texel >> 4 & 3) * 4 + (texel & 3)
    .lset y, (slot + 1 >> 1 & 1) * 16 + (texel >> 6 & 3) * 4 + (texel >> 2 & 3)
    .lset bright, (x >> 2 ^ y >> 2) & 1 ? 255 : 160
    .if x < 8 && y < 8
      .byte 255, 255, 255, 255
    .else
      .byte red * bright / 255, green * bright / 255, blue * bright / 255, 255
    .endif
  .endr
.endm

.align 4096
texture:
    face 255, 64, 64
    face 64, 255, 255
    face 96, 255, 64
    face 224, 64, 224
    face 255, 240, 64
    face 64, 96, 255

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
.scene image framebuffer 256 256 rgba8888 raster cube-map.png
