# SPDX-License-Identifier: MIT
# NV triangle: the demo "Triangle with NV Shader", byte for byte, at the demo's addresses. A red, a green and a
# blue corner on yellow, 640x480, BGRA.
#
# Source: the article "QPU Demo: Triangle with NV Shader" (2021) and its driver program. The two control lists
# are elsewhere than in the demo, which does not tell their addresses.

.include "../include/control_list.inc"

.set SCREEN_X, 640
.set SCREEN_Y, 480
.set TILES_X, 10
.set TILES_Y, 8
.set TILE_ALLOCATION_SIZE, 0x10000

# Control lists -------------------------------------------------------------------------------------------

.org 0x40400000
binning_list:
    Tile_Binning_Mode_Configuration tile_allocation, TILE_ALLOCATION_SIZE, tile_state, TILES_X, TILES_Y, Auto_Initialise_Tile_State_Data_Array
    Start_Tile_Binning
    Increment_Semaphore
    Clip_Window 0, 0, SCREEN_X, SCREEN_Y
    # Memory row 0 is the top of the screen, so what was counter-clockwise is clockwise.
    Configuration_Bits Enable_Forward_Facing_Primitive + Clockwise_Primitives
    Viewport_Offset SCREEN_X / 2 * 16, SCREEN_Y / 2 * 16
    Clipper_XY_Scaling SCREEN_X / 2 * 16, SCREEN_Y / 2 * 16
    NV_Shader_State shader_record
    Vertex_Array_Primitives Mode_Triangles, 3, 0
    Flush
binning_list_end:

.align 16
rendering_list:
    Clear_Colors 0xFFFFFF00, 0, 0, 0
    Tile_Rendering_Mode_Configuration framebuffer, SCREEN_X, SCREEN_Y, Color_Format_RGBA8888
    Tile_Coordinates 0, 0
    Store_Tile_Buffer_General 0, 0, 0
    Render_All_Tiles tile_allocation, TILES_X, TILES_Y, 1
rendering_list_end:

# Shader and vertices -------------------------------------------------------------------------------------

.org 0x404104f0
fragment_shader:
    fmul r0, vary, ra15         # ra15 has W
    fadd r0, r0, r5             # reading the varying put C into r5
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
    # or irq, 1, 1: the host gets an interrupt. As a word, because the assembler turns an operation on
    # constants into a load, as vc4asm does.
    .int 0x159c1fc0, 0xd00209a7
    nop; thrend
    nop
    nop

.assert . == 0x40410568
vertices:
    # x and y in sixteenths of a pixel from the viewport's centre, z, 1/w; red, green, blue
    .hword 0, -3193
    .single 0.94, 0.25, 1.0, 0.0, 0.0
    .hword -3195, 3193
    .single 0.94, 0.25, 0.0, 1.0, 0.0
    .hword 3195, 3193
    .single 0.94, 0.25, 0.0, 0.0, 1.0

# Memory that the binner writes, with the shader record between -------------------------------------------

.org 0x40420500
tile_state:
    .space 48 * TILES_X * TILES_Y

.assert . == 0x40421400
shader_record:
    NV_Shader_Record 1, 24, 3, fragment_shader, 0, vertices

.org 0x40421500
tile_allocation:
    .space TILE_ALLOCATION_SIZE

.org 0x5eac0000
framebuffer:
    .space SCREEN_X * SCREEN_Y * 4

.scene bin binning_list binning_list_end
.scene render rendering_list rendering_list_end
.scene image framebuffer 640 480 bgra8888 raster nv-triangle.png
