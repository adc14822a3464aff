# SPDX-License-Identifier: MIT
# First triangle: white on yellow, 640x480, with vertices that are already shaded (NV mode).
#
# Source: the article "First Triangle". Its list draws 9 vertices, but its vertex data ends after 3; the
# other two triangles would be whatever lies behind, so this scene draws 3.
#
#   tessera asm -m qpu -f elf -o first-triangle.elf first-triangle.qasm
#   tessera run first-triangle.elf

.include "../include/control_list.inc"

.set SCREEN_X, 640
.set SCREEN_Y, 480
.set TILES_X, 10                # tiles of 64x64 pixels
.set TILES_Y, 8                 # 7.5, rounded up
.set TILE_ALLOCATION_SIZE, 0x10000

# Control lists -------------------------------------------------------------------------------------------

.org 0x40010000
binning_list:
    Tile_Binning_Mode_Configuration tile_allocation, TILE_ALLOCATION_SIZE, tile_state, TILES_X, TILES_Y, Auto_Initialise_Tile_State_Data_Array
    Start_Tile_Binning
    Increment_Semaphore         # takes effect when the flush below is done
    Clip_Window 0, 0, SCREEN_X, SCREEN_Y
    Configuration_Bits Enable_Forward_Facing_Primitive + Enable_Reverse_Facing_Primitive + Early_Z_Updates_Enable
    Viewport_Offset 0, 0        # vertices are in pixels from the corner
    NV_Shader_State shader_record
    Vertex_Array_Primitives Mode_Triangles, 3, 0
    Flush
binning_list_end:

.align 16
rendering_list:
    Wait_On_Semaphore           # until the tile lists are complete
    Clear_Colors 0xFF00FFFF, 0, 0, 0
    Tile_Rendering_Mode_Configuration framebuffer, SCREEN_X, SCREEN_Y, Color_Format_RGBA8888
    # The tile buffer is cleared by a store, so store nothing once.
    Tile_Coordinates 0, 0
    Store_Tile_Buffer_General 0, 0, 0
    Render_All_Tiles tile_allocation, TILES_X, TILES_Y, 0
rendering_list_end:

# Shader record, vertices and shader ----------------------------------------------------------------------

.org 0x40000000
shader_record:
    # The article calls flags 0 single-threaded; by the manual, bit 0 set would say so.
    NV_Shader_Record 0, 3 * 4, 0, fragment_shader, 0, vertices

vertices:
    Shaded_Vertex 320, 32, 0e1.0, 0e1.0
    Shaded_Vertex 32, 448, 0e1.0, 0e1.0
    Shaded_Vertex 608, 448, 0e1.0, 0e1.0

.align 16
fragment_shader:
    nop                         # the first two instructions must not touch the tile buffer:
    nop                         # this one is not in the article
    ldi tlbc, 0xFFFFFFFF
    nop; nop; sbdone
    nop; nop; thrend
    nop
    nop

# Memory that the hardware writes -------------------------------------------------------------------------

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
.scene image framebuffer 640 480 rgba8888 raster first-triangle.png
