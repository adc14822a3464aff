# SPDX-License-Identifier: MIT
# High dynamic range: light is added up in a tile buffer with 16-bit floats for red, green, blue and alpha, and stored as a
# texture of 64 bits per pixel. A second frame draws the picture from the texture. Its left half shows the picture without
# this mapping: everything above 1.0 is white. Its right half is mapped by c / (1 + c). The lights are the same on both sides.
#
# With 64-bit colour a tile has 64x32 pixels. A shader writes (and reads) a pixel's colour in two words: red and green, then
# blue and alpha. The texture unit also returns two results per lookup.
#
# Source: manual section 5 (64-bit colour), section 4 (RGBA64).

.set SCREEN_X, 256
.set SCREEN_Y, 256
.set TILES_X, 4                # tiles of 64x64 pixels
.set TILES_Y, 4
.set TILE_ALLOCATION_SIZE, 0x4000
.set HDR_TILES_Y, 8
.set LIGHTS, 6

# Control lists ----------------------------------------------------------------------------------------------

# 1. The lights, to the texture.
.org 0x40010000
lights_binning_list:
    cl.tile_binning_mode allocation_address=tile_allocation, allocation_size=TILE_ALLOCATION_SIZE, state_address=tile_state, width=TILES_X, height=HDR_TILES_Y, color_64bit, auto_initialise
    cl.start_tile_binning
    cl.increment_semaphore      # takes effect after the flush below
    cl.clip_window left=0, bottom=0, width=SCREEN_X, height=SCREEN_Y
    cl.configuration_bits forward, reverse
    cl.viewport_offset x=0, y=0 # vertices are in pixels from the corner
.rep light, LIGHTS
    cl.nv_shader_state records + light * 16
    cl.vertex_array_primitives mode=triangle_strip, length=4, first=light * 4
.endr
    cl.flush
lights_binning_list_end:

.align 16
lights_rendering_list:
    cl.wait_on_semaphore        # waits until the tile lists are complete
    cl.clear_colors color0=0x2c002800, color1=0x3c003000     # halves: red 1/32, green 1/16; blue 1/8, alpha 1
    cl.tile_rendering_mode address=texture, width=SCREEN_X, height=SCREEN_Y, color_64bit, memory_format=t_format
    # The tile buffer is cleared by a store, so store nothing once.
    cl.tile_coordinates column=0, row=0
    cl.store_tile_buffer_general buffer=none
    # Each tile runs the list that the binner wrote for it, whose first block has 32 bytes, and is stored.
.rep tile, TILES_X * HDR_TILES_Y
    cl.tile_coordinates column=tile % TILES_X, row=tile / TILES_X
    cl.branch_to_sub_list tile_allocation + tile * 32
  .if tile < TILES_X * HDR_TILES_Y - 1
    cl.store_ms_tile_buffer
  .else
    cl.store_ms_tile_buffer_and_eof
  .endif
.endr
lights_rendering_list_end:

# 2. The picture, from the texture.
.align 16
picture_binning_list:
    cl.tile_binning_mode allocation_address=tile_allocation, allocation_size=TILE_ALLOCATION_SIZE, state_address=tile_state, width=TILES_X, height=TILES_Y, auto_initialise
    cl.start_tile_binning
    cl.increment_semaphore      # takes effect after the flush below
    cl.clip_window left=0, bottom=0, width=SCREEN_X, height=SCREEN_Y
    cl.configuration_bits forward, reverse
    cl.viewport_offset x=0, y=0
    cl.nv_shader_state picture_record
    cl.vertex_array_primitives mode=triangle_strip, length=4, first=0
    cl.flush
picture_binning_list_end:

.align 16
picture_rendering_list:
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
picture_rendering_list_end:

# Shader records, uniforms, vertices -------------------------------------------------------------------------

.org 0x40000000
records:
.rep light, LIGHTS
    shader.nv single_threaded, stride=3 * 4 + 2 * 4, varyings=2, code=add_light, uniforms=colours + light * 12, vertices=lights
.endr
picture_record:
    shader.nv single_threaded, stride=3 * 4 + 2 * 4, varyings=2, code=show, uniforms=sampler, vertices=screen

sampler:
    uniform.texture base=texture, type=rgba64, width=SCREEN_X, height=SCREEN_Y, mag_filter=nearest, min_filter=nearest, wrap_s=clamp, wrap_t=clamp

colours:                        # red, green, blue of a light's centre
    .float 0.5, 2.0, 8.0, 0.5, 2.0, 8.0
    .float 4.0, 4.0, 4.0
    .float 3.0, 0.75, 0.25, 3.0, 0.75, 0.25
    .float 12.0, 6.0, 1.0

# A square around the centre. The varyings are the position in the square, -1.0 to 1.0.
.macro light, middle_x, middle_y, radius
    vertex.nv x=middle_x - radius, y=middle_y - radius, z=1.0, inverse_w=1.0, varyings=[-1.0, -1.0]
    vertex.nv x=middle_x - radius, y=middle_y + radius, z=1.0, inverse_w=1.0, varyings=[-1.0, 1.0]
    vertex.nv x=middle_x + radius, y=middle_y - radius, z=1.0, inverse_w=1.0, varyings=[1.0, -1.0]
    vertex.nv x=middle_x + radius, y=middle_y + radius, z=1.0, inverse_w=1.0, varyings=[1.0, 1.0]
.endm
lights:
    light 64, 72, 60
    light 192, 72, 60
    light 128, 56, 48
    light 56, 176, 72
    light 200, 176, 72
    light 128, 160, 88
screen:                         # the varyings are s and t
    vertex.nv x=0, y=0, z=1.0, inverse_w=1.0, varyings=[0.0, 0.0]
    vertex.nv x=0, y=SCREEN_Y, z=1.0, inverse_w=1.0, varyings=[0.0, 1.0]
    vertex.nv x=SCREEN_X, y=0, z=1.0, inverse_w=1.0, varyings=[1.0, 0.0]
    vertex.nv x=SCREEN_X, y=SCREEN_Y, z=1.0, inverse_w=1.0, varyings=[1.0, 1.0]

# Shaders ----------------------------------------------------------------------------------------------------

.align 16
# A light's brightness is the square of 1 - d * d at the distance d from its centre.
add_light:
    fmul r0, vary, ra15
    fadd r0, r0, r5;  fmul r1, vary, ra15
    fadd r1, r1, r5;  fmul r0, r0, r0
    nop;              fmul r1, r1, r1
    fadd r0, r0, r1
    fsub r0, 1.0, r0
    fmax r0, r0, 0
    nop;              fmul r0, r0, r0
    nop;              fmul r1, r0, unif
    nop;              fmul r2, r0, unif
    nop;              fmul r3, r0, unif
    nop;              nop;      loadc       # r4: red and green of the pixel, as halves
    fadd r1, r1, r4.16a                     # as floats
    fadd r2, r2, r4.16b
    nop;              nop;      loadc       # r4: blue and alpha
    fadd r3, r3, r4.16a
    fmax ra0.16a, r1, r1                    # converted back to halves
    fmax ra0.16b, r2, r2
    fmax ra1.16a, r3, r3
    ldi r0, 1.0
    fmax ra1.16b, r0, r0
    mov tlbc, ra0
    mov tlbc, ra1;    nop;      thrend
    nop
    nop;              nop;      sbdone

show:
    fmul r0, vary, ra15
    fadd r0, r0, r5;  fmul r1, vary, ra15
    fadd t0t, r1, r5
    mov t0s, r0
    ldi r1, 0.5
    fsub ra3, r0, r1                        # negative on the left
    nop;              nop;      ldtmu0      # red and green
    fmax ra0, r4.16a, r4.16a
    fmax ra1, r4.16b, r4.16b
    nop;              nop;      ldtmu0      # blue and alpha
    fmax ra2, r4.16a, r4.16a
    ldi r3, 0xff000000
    mov.setf -, ra3
.macro map, channel, target
    mov r0, channel
    fadd recip, r0, 1.0
    nop
    nop
    nop;              fmul.ifnn r0, r0, r4
    nop;              fmul target, r0, 1.0
.endm
    map ra0, r3.8as
    map ra1, r3.8bs
    map ra2, r3.8cs
    mov tlbc, r3;     nop;      thrend
    nop
    nop;              nop;      sbdone

# Memory that the hardware writes ----------------------------------------------------------------------------

.org 0x40020000
tile_allocation:
    .space TILE_ALLOCATION_SIZE
tile_state:
    .space 48 * TILES_X * HDR_TILES_Y

.org 0x40080000
texture:
    .space SCREEN_X * SCREEN_Y * 8

.org 0x40100000
framebuffer:
    .space SCREEN_X * SCREEN_Y * 4

.scene bin lights_binning_list lights_binning_list_end
.scene render lights_rendering_list lights_rendering_list_end
.scene bin picture_binning_list picture_binning_list_end
.scene render picture_rendering_list picture_rendering_list_end
.scene image framebuffer 256 256 rgba8888 raster hdr.png
