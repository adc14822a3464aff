# SPDX-License-Identifier: MIT
# frame.qasm - the small valid frame that fuzz targets change. The frame has 128x64 pixels in two tiles, and one triangle
# with one varying and a texture. The file is also a scene. frame.h has the addresses of the frame's parts.

.org 0x1000
bin_list:
    cl.tile_binning_mode tile_allocation, 0x2000, tile_state, width=2, height=1, auto_initialise
    cl.start_tile_binning
    cl.increment_semaphore
    cl.clip_window 0, 0, 128, 64
    cl.configuration_bits forward, reverse, depth_test=le, z_updates
    cl.viewport_offset x=0, y=0
    cl.clipper_xy_scaling half_width=64 * 16, half_height=32 * 16
    cl.nv_shader_state shader_record
    cl.vertex_array_primitives triangles, 3, 0
bin_tail:
    cl.flush
bin_end:

.org 0x1800
render_list:
    cl.wait_on_semaphore
    cl.clear_colors color=0xFF00FFFF, z=0xFFFFFF
    cl.tile_rendering_mode framebuffer, 128, 64, color_format=rgba8888
    cl.tile_coordinates 0, 0
    cl.store_tile_buffer_general buffer=none
render_tail:
    cl.tile_coordinates 0, 0
    cl.branch_to_sub_list tile_allocation
    cl.store_ms_tile_buffer
    cl.tile_coordinates 1, 0
    cl.branch_to_sub_list tile_allocation + 32
    cl.store_ms_tile_buffer_and_eof
render_end:

.org 0x2000
shader_record:
    shader.nv stride=3 * 4 + 4, varyings=1, code=fragment_shader, uniforms=uniforms, vertices=vertices

.org 0x2040
vertices:
    vertex.nv x=64, y=4, z=0.5, inverse_w=1.0, varyings=[0.0]
    vertex.nv x=4, y=60, z=0.5, inverse_w=1.0, varyings=[0.5]
    vertex.nv x=124, y=60, z=0.5, inverse_w=1.0, varyings=[1.0]

.org 0x2100
uniforms:
    uniform.texture base=texture, type=rgba8888, width=16, height=16
    .word 0, 0

.org 0x2400
fragment_shader:
    fmul r0, ra15, vary
    fadd t0t, r0, r5
    mov t0s, r0
    nop; nop; ldtmu0
    mov tlbz, rb15
    mov tlbc, r4
    nop; nop; sbdone
    nop; nop; thrend
    nop
    nop

.org 0x4000
texture:
    .rep texel, 256
        .byte texel, 255 - texel, texel ^ 85, 255
    .endr
    .space 0x1000

.org 0x8000
tile_allocation:
    .space 0x2000
tile_state:
    .space 48 * 2

.org 0xB000
framebuffer:
    .space 128 * 64 * 4

.scene bin bin_list bin_end
.scene render render_list render_end
.scene image framebuffer 128 64 rgba8888 raster frame.png
