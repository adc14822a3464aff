# SPDX-License-Identifier: MIT
# NV triangle: the demo "Triangle with NV Shader", byte for byte, at the demo's addresses. A red, a
# green and a blue corner on yellow, 640x480, BGRA.
#
# Source: the article "QPU Demo: Triangle with NV Shader" (2021) and its driver program. The two
#         control lists are at other addresses than in the demo, which does not state them.

.set SCREEN_X, 640
.set SCREEN_Y, 480
.set TILES_X, 10
.set TILES_Y, 8
.set TILE_ALLOCATION_SIZE, 0x10000

# Control lists -------------------------------------------------------------------------------------------

.org 0x40400000
binning_list:
    cl.tile_binning_mode allocation_address=tile_allocation, allocation_size=TILE_ALLOCATION_SIZE, state_address=tile_state, width=TILES_X, height=TILES_Y, auto_initialise
    cl.start_tile_binning
    cl.increment_semaphore
    cl.clip_window left=0, bottom=0, width=SCREEN_X, height=SCREEN_Y
    # Memory row 0 is the top of the screen, so counter-clockwise triangles are clockwise in memory.
    cl.configuration_bits forward, clockwise
    cl.viewport_offset x=SCREEN_X / 2, y=SCREEN_Y / 2
    cl.clipper_xy_scaling half_width=SCREEN_X / 2 * 16, half_height=SCREEN_Y / 2 * 16
    cl.nv_shader_state shader_record
    cl.vertex_array_primitives mode=triangles, length=3, first=0
    cl.flush
binning_list_end:

.align 16
rendering_list:
    cl.clear_colors color=0xFFFFFF00
    cl.tile_rendering_mode address=framebuffer, width=SCREEN_X, height=SCREEN_Y, color_format=rgba8888
    cl.tile_coordinates column=0, row=0
    cl.store_tile_buffer_general buffer=none
.rep tile, TILES_X * TILES_Y
    cl.tile_coordinates column=tile % TILES_X, row=tile / TILES_X
  .if tile == 0
    cl.wait_on_semaphore        # waits until the tile lists are complete
  .endif
    cl.branch_to_sub_list tile_allocation + tile * 32
  .if tile < TILES_X * TILES_Y - 1
    cl.store_ms_tile_buffer
  .else
    cl.store_ms_tile_buffer_and_eof
  .endif
.endr
rendering_list_end:

# Shader and vertices -------------------------------------------------------------------------------------

.org 0x404104f0
fragment_shader:
    fmul r0, vary, ra15         # ra15 has W
    fadd r0, r0, r5             # reading the varying wrote C to r5
    fmul r1, vary, ra15
    fadd r1, r1, r5
    fmul r2, vary, ra15
    fadd r2, r2, r5
    ldi r3, 0xff000000          # alpha
    # The framebuffer is BGRA: red goes to byte 2.
    fmul r3.8cs, r0, 1.0
    fmul r3.8bs, r1, 1.0
    fmul r3.8as, r2, 1.0
    or tlbc, r3, r3; sbdone
    # or irq, 1, 1: interrupts the host. Written as a word, because the assembler turns an operation
    # on constants into a load, as vc4asm does.
    .int 0x159c1fc0, 0xd00209a7
    nop; thrend
    nop
    nop

.assert . == 0x40410568
vertices:
    # Pixels from the viewport's centre: 3193 and 3195 sixteenths. The varyings are red, green and blue.
    vertex.nv x=0, y=-199.5625, z=0.94, inverse_w=0.25, varyings=[1.0, 0.0, 0.0]
    vertex.nv x=-199.6875, y=199.5625, z=0.94, inverse_w=0.25, varyings=[0.0, 1.0, 0.0]
    vertex.nv x=199.6875, y=199.5625, z=0.94, inverse_w=0.25, varyings=[0.0, 0.0, 1.0]

# Memory that the binner writes, with the shader record between -------------------------------------------

.org 0x40420500
tile_state:
    .space 48 * TILES_X * TILES_Y

.assert . == 0x40421400
shader_record:
    shader.nv single_threaded, stride=24, varyings=3, code=fragment_shader, vertices=vertices

.org 0x40421500
tile_allocation:
    .space TILE_ALLOCATION_SIZE

.org 0x5eac0000
framebuffer:
    .space SCREEN_X * SCREEN_Y * 4

.scene bin binning_list binning_list_end
.scene render rendering_list rendering_list_end
.scene image framebuffer 640 480 bgra8888 raster nv-triangle.png
