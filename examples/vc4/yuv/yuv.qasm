# SPDX-License-Identifier: MIT
# A picture in the format of cameras and video decoders: YUYV, brightness for each pixel and two colour differences
# for each pair. The texture unit returns Y, U and V of a pixel; the shader computes red, green and blue.
#
# The upper half has eight colour bars, the lower half all U (to the right) and V (downwards) at one brightness.
# The texture has 128x128 pixels, each of 2x2 pixels of the screen.
#
# Source: manual section 4 (table 18, YUYV422R); docs/vc4/tmu.md for the result. The colours are those of ITU-R
#         BT.601 in the full range of bytes, as in JPEG files.

.set SCREEN_X, 256
.set SCREEN_Y, 256
.set TILES_X, 4                # tiles of 64x64 pixels
.set TILES_Y, 4
.set TILE_ALLOCATION_SIZE, 0x4000
.set WIDTH, 128                 # of the texture
.set HEIGHT, 128

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
    uniform.texture base=texture, type=yuyv422r, width=WIDTH, height=HEIGHT, mag_filter=nearest, min_filter=nearest, wrap_s=clamp, wrap_t=clamp
    .float 1.402, 0.714136, 1.772, 0.344136

vertices:                       # the varyings are s and t
    vertex.nv x=0, y=0, z=1.0, inverse_w=1.0, varyings=[0.0, 0.0]
    vertex.nv x=0, y=SCREEN_Y, z=1.0, inverse_w=1.0, varyings=[0.0, 1.0]
    vertex.nv x=SCREEN_X, y=0, z=1.0, inverse_w=1.0, varyings=[1.0, 0.0]
    vertex.nv x=SCREEN_X, y=SCREEN_Y, z=1.0, inverse_w=1.0, varyings=[1.0, 1.0]

.align 16
fragment_shader:
    fmul r0, vary, ra15
    fadd r0, r0, r5;  fmul r1, vary, ra15
    fadd t0t, r1, r5            # reads the first word of uniform.texture
    mov t0s, r0                 # reads the second word and starts the lookup
    ldi rb0, 128.0 / 255
    nop; nop; ldtmu0
    fsub r1, r4.8b, rb0         # U: bytes of r4 can be read as floats from 0.0 to 1.0
    fsub r2, r4.8c, rb0         # V
    fmax r0, r4.8a, r4.8a       # Y
    nop;              fmul ra0, r2, unif
    nop;              fmul r2, r2, unif
    nop;              fmul ra1, r1, unif
    nop;              fmul r1, r1, unif
    fadd r3, r0, ra0            # red: Y + 1.402 V
    fadd r1, r1, r2
    fsub r1, r0, r1             # green: Y - 0.344136 U - 0.714136 V
    fadd r0, r0, ra1            # blue: Y + 1.772 U
    ldi r2, 0xff000000
    nop;              fmul r2.8as, r3, 1.0
    nop;              fmul r2.8bs, r1, 1.0
    nop;              fmul r2.8cs, r0, 1.0
    mov tlbc, r2;     nop;      thrend
    nop
    nop;              nop;      sbdone

# Texture ----------------------------------------------------------------------------------------------------

.set byte_of(value) floor(value + 0.5) < 0 ? 0 : floor(value + 0.5) > 255 ? 255 : floor(value + 0.5)
.set brightness(r, g, b) byte_of(0.299 * r + 0.587 * g + 0.114 * b)
.set blueness(r, g, b) byte_of(128 - 0.168736 * r - 0.331264 * g + 0.5 * b)
.set redness(r, g, b) byte_of(128 + 0.5 * r - 0.418688 * g - 0.081312 * b)

# Raster order; a pair of pixels is Y U Y V.
.align 4096
texture:
.rep y, HEIGHT / 2
    .rep bar, 8                 # white, yellow, cyan, green, magenta, red, blue, black
        .set r, bar & 2 ? 0 : 255
        .set g, bar & 4 ? 0 : 255
        .set b, bar & 1 ? 0 : 255
        .rep pair, WIDTH / 8 / 2
            .byte brightness(r, g, b), blueness(r, g, b), brightness(r, g, b), redness(r, g, b)
        .endr
    .endr
.endr
.rep y, HEIGHT / 2
    .rep pair, WIDTH / 2
        .byte 160, pair * 4, 160, y * 4
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
.scene image framebuffer 256 256 rgba8888 raster yuv.png
