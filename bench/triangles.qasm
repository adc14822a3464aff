# SPDX-License-Identifier: MIT
# What bench/triangles.c measures: 1280x720 pixels, covered once by 10,000 triangles of 92 pixels each, textured with a bilinear
# filter and tested for depth. Without GL, vertices come shaded (NV mode); with it, coordinate and vertex shaders compute them.
# Without FRAMES it gives one picture, with it that many frames and no file.
#
# The triangles are the halves of 100 x 50 cells; a texel of the 256x256 texture (T format) covers about a pixel.

.include <vc4.qinc>

.set SCREEN_X, 1280
.set SCREEN_Y, 720
.set TILES_X, 20                # tiles of 64x64 pixels
.set TILES_Y, 12
.set COLUMNS, 100               # cells
.set ROWS, 50
.set VERTICES, (COLUMNS + 1) * (ROWS + 1)
.set TRIANGLES, 2 * COLUMNS * ROWS
.set TILE_ALLOCATION_SIZE, 0x100000

.org 0x1000
binning_list:
    cl.tile_binning_mode allocation_address=tile_allocation, allocation_size=TILE_ALLOCATION_SIZE, state_address=tile_state, width=TILES_X, height=TILES_Y, auto_initialise
    cl.start_tile_binning
    cl.increment_semaphore
    cl.clip_window left=0, bottom=0, width=SCREEN_X, height=SCREEN_Y
    cl.configuration_bits forward, reverse, depth_test=le, z_updates
    cl.viewport_offset x=0, y=0
.ifset GL
    cl.clipper_xy_scaling half_width=SCREEN_X / 2 * 16, half_height=SCREEN_Y / 2 * 16
    cl.clipper_z_scale_offset scale=0.5, offset=0.5
    cl.viewport_offset x=SCREEN_X / 2, y=SCREEN_Y / 2
    cl.gl_shader_state shader_record, attribute_arrays=2
.else
    cl.nv_shader_state shader_record
.endif
    cl.indexed_primitive_list mode=triangles, index_type=uint16, length=TRIANGLES * 3, address=indices, maximum_index=VERTICES - 1
    cl.flush
binning_list_end:

.org 0x2000
rendering_list:
    cl.wait_on_semaphore
    cl.clear_colors color=0xFF00FFFF, z=0xFFFFFF
    cl.tile_rendering_mode address=framebuffer, width=SCREEN_X, height=SCREEN_Y, color_format=rgba8888
    # The tile buffer is cleared by a store, so store nothing once.
    cl.tile_coordinates column=0, row=0
    cl.store_tile_buffer_general buffer=none
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

.org 0x4000
shader_record:
.ifset GL
    shader.gl single_threaded, clipping, varyings=2, code=fragment_shader, uniforms=uniforms, vertex_attributes=0b11, vertex_attribute_bytes=20, vertex_code=vertex_shader, vertex_uniforms=vertex_uniforms, coordinate_attributes=0b01, coordinate_attribute_bytes=12, coordinate_code=coordinate_shader, coordinate_uniforms=vertex_uniforms
    shader.attribute address=vertices, bytes=12, stride=20
    shader.attribute address=vertices + 12, bytes=8, stride=20, vertex_offset=12
.else
    shader.nv stride=3 * 4 + 2 * 4, varyings=2, code=fragment_shader, uniforms=uniforms, vertices=vertices
.endif

uniforms:
    uniform.texture base=texture, type=rgba8888, width=256, height=256, mag_filter=linear, min_filter=linear, wrap_s=repeat, wrap_t=repeat

vertex_uniforms:
    .float 2.0 / SCREEN_X, 2.0 / SCREEN_Y       # from pixels to -1 ... 1, after 1.0 is subtracted
    .float SCREEN_X / 2 * 16, SCREEN_Y / 2 * 16

.align 16
fragment_shader:
    fmul r0, vary, ra15
    fadd r0, r0, r5;  fmul r1, vary, ra15
    fadd t0t, r1, r5
    mov t0s, r0
    mov tlbz, rb15
    nop; nop; ldtmu0
    mov tlbc, r4;     nop;      thrend
    nop
    nop;              nop;      sbdone

# In: ra0, ra1, ra2: the position, with depth in -1 ... 1; W is 1. Out: ra4 Xc, ra5 Yc, ra8 Xs and Ys; r2 Zs;
#     ra6 Wc and 1/Wc.
.macro transform
    fmul r0, ra0, unif
    nop;               fmul r1, ra1, unif
    fsub r0, r0, 1.0
    fsub r1, r1, 1.0
    mov ra4, r0;       fmul r0, r0, unif
    mov ra5, r1;       fmul r1, r1, unif
    ftoi ra8.16a, r0
    ftoi ra8.16b, r1
    nop;               fmul r2, ra2, 0.5
    fadd r2, r2, 0.5
    mov ra6, 1.0
.endm

.align 16
coordinate_shader:
    # tessera: kind coordinate
    ldi vr_setup, vpm_setup(3, 1, h32(0))
    ldi vw_setup, vpm_setup(0, 1, h32(0))
    nop
    nop
    mov ra0, vpm
    mov ra1, vpm
    mov ra2, vpm
    nop
    transform
    mov vpm, ra4
    mov vpm, ra5
    mov vpm, ra2
    mov vpm, ra6
    mov vpm, ra8
    mov vpm, r2
    mov vpm, ra6
    nop; nop; thrend
    nop
    nop

.align 16
vertex_shader:
    ldi vr_setup, vpm_setup(5, 1, h32(0))
    ldi vw_setup, vpm_setup(0, 1, h32(0))
    nop
    nop
    mov ra0, vpm
    mov ra1, vpm
    mov ra2, vpm
    mov ra9, vpm                # s and t
    mov ra10, vpm
    nop
    transform
    mov vpm, ra8
    mov vpm, r2
    mov vpm, ra6
    mov vpm, ra9
    mov vpm, ra10
    nop; nop; thrend
    nop
    nop

.org 0x10000
vertices:
.rep vertex, VERTICES
    .set column, vertex % (COLUMNS + 1)
    .set row, vertex / (COLUMNS + 1)
    .set x, 1.0 * column * SCREEN_X / COLUMNS
    .set y, 1.0 * row * SCREEN_Y / ROWS
    .set depth, 1.0 * (column + row) / (COLUMNS + ROWS)
  .ifset GL
    .float x, y, 2 * depth - 1, x / 256, y / 256
  .else
    vertex.nv x=x, y=y, z=depth, inverse_w=1.0, varyings=[x / 256, y / 256]
  .endif
.endr

.align 16
indices:
.rep cell, COLUMNS * ROWS
    .set corner, cell / COLUMNS * (COLUMNS + 1) + cell % COLUMNS
    .short corner, corner + 1, corner + COLUMNS + 1
    .short corner + COLUMNS + 1, corner + 1, corner + COLUMNS + 2
.endr

.org 0x80000
texture:
.rep texel, 65536
    .byte texel & 255, texel >> 3 & 255, texel >> 8, 255
.endr
    .space 0x1000

.org 0x100000
tile_state:
    .space 48 * TILES_X * TILES_Y
.org 0x110000
tile_allocation:
    .space TILE_ALLOCATION_SIZE
.org 0x300000
framebuffer:
    .space SCREEN_X * SCREEN_Y * 4
framebuffer_end:

.ifset FRAMES
.rep frame, FRAMES
.scene bin binning_list binning_list_end
.scene render rendering_list rendering_list_end
.endr
.else
.scene bin binning_list binning_list_end
.scene render rendering_list rendering_list_end
.scene image framebuffer 1280 720 rgba8888 raster triangles.png
.endif
