# SPDX-License-Identifier: MIT
# Smooth edges by multisampling: a pixel has four samples, each with its own colour. The shader runs once per pixel, and its
# colour goes to the covered samples. The mean of the four is stored to memory. With multisampling a tile has 32x32 pixels.
#
# Without multisampling the thin rays would have gaps.
#
# Source: manual section 5 and table 38 (records 96, 112 and 113); docs/vc4/fep.md for where the samples are.

.include <vc4.qinc>

.set SCREEN_X, 160
.set SCREEN_Y, 160
.set TILES_X, 5                 # tiles of 32x32 pixels
.set TILES_Y, 5
.set TILE_ALLOCATION_SIZE, 0x4000
.set RAYS, 24

# Control lists ----------------------------------------------------------------------------------------------

.org 0x40010000
binning_list:
    cl.tile_binning_mode allocation_address=tile_allocation, allocation_size=TILE_ALLOCATION_SIZE, state_address=tile_state, width=TILES_X, height=TILES_Y, multisample, auto_initialise
    cl.start_tile_binning
    cl.increment_semaphore      # takes effect after the flush below
    cl.clip_window left=0, bottom=0, width=SCREEN_X, height=SCREEN_Y
    # Coverage is tested at four samples per pixel.
    cl.configuration_bits forward, reverse, oversample=x4
    cl.viewport_offset x=0, y=0 # vertices are in pixels from the corner
    cl.nv_shader_state rays_record
    cl.vertex_array_primitives mode=triangles, length=3 * RAYS, first=0
    cl.nv_shader_state triangle_record
    cl.vertex_array_primitives mode=triangles, length=3, first=0
    cl.flush
binning_list_end:

.align 16
rendering_list:
    cl.wait_on_semaphore        # waits until the tile lists are complete
    cl.clear_colors color=0xFF00FFFF
    cl.tile_rendering_mode address=framebuffer, width=SCREEN_X, height=SCREEN_Y, multisample, decimate=x4, color_format=rgba8888
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

# Shader records, vertices -----------------------------------------------------------------------------------

.org 0x40000000
rays_record:
    shader.nv single_threaded, stride=3 * 4, code=black, vertices=rays
triangle_record:
    shader.nv single_threaded, stride=3 * 4 + 3 * 4, varyings=3, code=coloured, vertices=triangle

# Rays from the centre, up to two pixels wide.
rays:
.rep ray, RAYS
    .set angle, (ray + 0.3) * M_2PI / RAYS
    vertex.nv x=80 + 8 * cos(angle), y=80 + 8 * sin(angle), z=1.0, inverse_w=1.0
    vertex.nv x=80 + 76 * cos(angle) - sin(angle), y=80 + 76 * sin(angle) + cos(angle), z=1.0, inverse_w=1.0
    vertex.nv x=80 + 76 * cos(angle) + sin(angle), y=80 + 76 * sin(angle) - cos(angle), z=1.0, inverse_w=1.0
.endr

triangle:                       # the varyings are red, green and blue
    vertex.nv x=77, y=31, z=1.0, inverse_w=1.0, varyings=[1.0, 0.0, 0.0]
    vertex.nv x=33, y=112, z=1.0, inverse_w=1.0, varyings=[0.0, 1.0, 0.0]
    vertex.nv x=130.5, y=102.25, z=1.0, inverse_w=1.0, varyings=[0.0, 0.0, 1.0]

# Shaders ----------------------------------------------------------------------------------------------------

.align 16
black:
    nop
    nop
    ldi tlbc, 0xff000000        # all covered samples of the pixel
    nop;              nop;      thrend
    nop
    nop;              nop;      sbdone

coloured:
    # Varyings are those of the pixel's centre, even if the centre is not covered. So they may be outside of 0.0 to 1.0.
    fmul r0, vary, ra15
    fadd r0, r0, r5;  fmul r1, vary, ra15
    fadd r1, r1, r5;  fmul r2, vary, ra15
    fadd r2, r2, r5
    ldi r3, 0xff000000
    nop;              fmul r3.8as, r0, 1.0
    nop;              fmul r3.8bs, r1, 1.0
    nop;              fmul r3.8cs, r2, 1.0
    mov tlbc, r3;     nop;      thrend
    nop
    nop;              nop;      sbdone

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
.scene image framebuffer 160 160 rgba8888 raster msaa-triangle.png
