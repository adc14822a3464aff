# SPDX-License-Identifier: MIT
# frame.qasm - the small valid frame that fuzz targets damage: 128x64 pixels in two tiles, one triangle with
# one varying and a texture. It is also a scene. Parts stand at the addresses that frame.h names.

.include "../examples/vc4/include/control_list.inc"

.org 0x1000
bin_list:
    Tile_Binning_Mode_Configuration tile_allocation, 0x2000, tile_state, 2, 1, Auto_Initialise_Tile_State_Data_Array
    Start_Tile_Binning
    Increment_Semaphore
    Clip_Window 0, 0, 128, 64
    Configuration_Bits Enable_Forward_Facing_Primitive + Enable_Reverse_Facing_Primitive + Depth_Test_Less_Or_Equal + Z_Updates_Enable
    Viewport_Offset 0, 0
    Clipper_XY_Scaling 64 * 16.0, 32 * 16.0
    NV_Shader_State shader_record
    Vertex_Array_Primitives Mode_Triangles, 3, 0
bin_tail:
    Flush
bin_end:

.org 0x1800
render_list:
    Wait_On_Semaphore
    Clear_Colors 0xFF00FFFF, 0xFFFFFF, 0, 0
    Tile_Rendering_Mode_Configuration framebuffer, 128, 64, Color_Format_RGBA8888
    Tile_Coordinates 0, 0
    Store_Tile_Buffer_General 0, 0, 0
render_tail:
    Render_All_Tiles tile_allocation, 2, 1, 0
render_end:

.org 0x2000
shader_record:
    NV_Shader_Record 0, 3 * 4 + 4, 1, fragment_shader, uniforms, vertices

.org 0x2040
vertices:
    Shaded_Vertex 64, 4, 0e0.5, 0e1.0
    .single 0.0
    Shaded_Vertex 4, 60, 0e0.5, 0e1.0
    .single 0.5
    Shaded_Vertex 124, 60, 0e0.5, 0e1.0
    .single 1.0

.org 0x2100
uniforms:
    .word texture               # 16x16, RGBA8888
    .word 16 << 20 | 16 << 8
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
