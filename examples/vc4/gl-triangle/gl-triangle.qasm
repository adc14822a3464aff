# SPDX-License-Identifier: MIT
# The first triangle in GL mode: the picture of first-triangle, with a vertex and a coordinate shader that pass the vertices on.
#
# Two arrays contain the same three vertices: one as output by the vertex shader (12 bytes each), one as output by the
# coordinate shader (28 bytes, starting with clip coordinates). Select bits assign the arrays to the shaders.
#
# Source: the article "Vertex and Coordinate Shaders": the shader record, both arrays, and the words of both shaders. It prints
#         two of the three vertices, and the last word of the record (the number of arrays) in the binning list; the fragment
#         shader is "First Triangle"'s.

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
    # For the clipper, which clips nothing here.
    cl.clipper_xy_scaling half_width=SCREEN_X / 2 * 16, half_height=SCREEN_Y / 2 * 16
    cl.gl_shader_state shader_record, attribute_arrays=2
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

# Shader record ----------------------------------------------------------------------------------------------

.org 0x40000000
shader_record:
    shader.gl clipping, code=fragment_shader, vertex_attributes=0b01, vertex_attribute_bytes=12, vertex_code=vertex_shader, coordinate_attributes=0b10, coordinate_attribute_bytes=28, coordinate_code=coordinate_shader
    shader.attribute address=vertices_for_vertex_shader, bytes=12, stride=12
    shader.attribute address=vertices_for_coordinate_shader, bytes=28, stride=28

# Vertices ---------------------------------------------------------------------------------------------------

.align 64
vertices_for_vertex_shader:     # Xs and Ys in sixteenths of pixels, Zs, 1/Wc
    .short 320 * 16, 32 * 16
    .single 1.0, 1.0
    .short 32 * 16, 448 * 16
    .single 1.0, 1.0
    .short 608 * 16, 448 * 16
    .single 1.0, 1.0

.align 64
vertices_for_coordinate_shader: # Xc, Yc, Zc, Wc; then as above
    .single 0.00156494522, -0.86638830897, 1.0, 1.0
    .short 320 * 16, 32 * 16
    .single 1.0, 1.0
    .single -0.89984350547, 0.87056367432, 1.0, 1.0
    .short 32 * 16, 448 * 16
    .single 1.0, 1.0
    .single 608 * 2.0 / 639 - 1, 0.87056367432, 1.0, 1.0
    .short 608 * 16, 448 * 16
    .single 1.0, 1.0

# Shaders ----------------------------------------------------------------------------------------------------
# The shaders compute nothing, but must read every attribute once and write every result once.

.align 16
vertex_shader:
    .int 0x009E7000, 0x100009E7     # nop
    .int 0x1A341AC0, 0xE0020C67     # ldi vr_setup, 0x1a341ac0: 3 rows from row 0
    .int 0x009E7000, 0x100009E7     # nop: data arrive three instructions later
    .int 0x009E7000, 0x100009E7     # nop
    .int 0x009E7000, 0x100009E7     # nop
    .int 0x15C27DF7, 0x10020027     # mov ra0, vpm: Xs, Ys
    .int 0x15C27DF7, 0x10020067     # mov ra1, vpm: Zs
    .int 0x15C27DF7, 0x100200A7     # mov ra2, vpm: 1/Wc
    .int 0x17BC1AC0, 0xE0021C67     # ldi vw_setup, 0x17bc1ac0: from row 0
    .int 0x15027DF7, 0x10020C27     # mov vpm, ra0
    .int 0x15067DF7, 0x10020C27     # mov vpm, ra1
    .int 0x150A7DF7, 0x10020C27     # mov vpm, ra2
    .int 0x009E7000, 0x500009E7     # sbdone
    .int 0x009E7000, 0x300009E7     # thrend
    .int 0x009E7000, 0x100009E7     # nop
    .int 0x009E7000, 0x100009E7     # nop

.align 16
coordinate_shader:
    .int 0x009E7000, 0x100009E7     # nop
    .int 0x1A741AC0, 0xE0020C67     # ldi vr_setup, 0x1a741ac0: 7 rows
    .int 0x009E7000, 0x100009E7     # nop
    .int 0x009E7000, 0x100009E7     # nop
    .int 0x009E7000, 0x100009E7     # nop
    .int 0x15C27DF7, 0x10020027     # mov ra0, vpm: Xc
    .int 0x15C27DF7, 0x10020067     # mov ra1, vpm: Yc
    .int 0x15C27DF7, 0x100200A7     # mov ra2, vpm: Zc
    .int 0x15C27DF7, 0x100200E7     # mov ra3, vpm: Wc
    .int 0x15C27DF7, 0x10020127     # mov ra4, vpm: Xs, Ys
    .int 0x15C27DF7, 0x10020167     # mov ra5, vpm: Zs
    .int 0x15C27DF7, 0x100201A7     # mov ra6, vpm: 1/Wc
    .int 0x17BC1AC0, 0xE0021C67     # ldi vw_setup, 0x17bc1ac0
    .int 0x15027DF7, 0x10020C27     # mov vpm, ra0
    .int 0x15067DF7, 0x10020C27     # mov vpm, ra1
    .int 0x150A7DF7, 0x10020C27     # mov vpm, ra2
    .int 0x150E7DF7, 0x10020C27     # mov vpm, ra3
    .int 0x15127DF7, 0x10020C27     # mov vpm, ra4
    .int 0x15167DF7, 0x10020C27     # mov vpm, ra5
    .int 0x151A7DF7, 0x10020C27     # mov vpm, ra6
    .int 0x009E7000, 0x500009E7     # sbdone
    .int 0x009E7000, 0x300009E7     # thrend
    .int 0x009E7000, 0x100009E7     # nop
    .int 0x009E7000, 0x100009E7     # nop

.align 16
fragment_shader:
    .int 0x009E7000, 0x100009E7     # nop: see first-triangle
    .int 0x009E7000, 0x100009E7     # nop
    .int 0xFFFFFFFF, 0xE0020BA7     # ldi tlbc, 0xffffffff
    .int 0x009E7000, 0x500009E7     # sbdone
    .int 0x009E7000, 0x300009E7     # thrend
    .int 0x009E7000, 0x100009E7     # nop
    .int 0x009E7000, 0x100009E7     # nop

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
.scene image framebuffer 640 480 rgba8888 raster gl-triangle.png
