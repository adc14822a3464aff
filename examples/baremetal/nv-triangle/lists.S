/* SPDX-License-Identifier: MIT */
/* lists.S - the control lists of a white triangle on yellow.
 *
 * Addresses in lists are bus addresses. These are right for a Pi Zero or 1; for a Pi 2 or 3 set BUS
 * to 0xc0000000: make nv-triangle DEFINES=-DBUS=0xc0000000. */
#ifndef BUS
#define BUS 0x40000000
#endif

#define SCREEN_X 640
#define SCREEN_Y 480
#define TILES_X 10              /* tiles of 64x64 pixels */
#define TILES_Y 8               /* 7.5, rounded up */
#define TILE_ALLOCATION_SIZE 0x8000

/* Control records: an id, then the fields, without gaps. */
.macro Increment_Semaphore
    .byte 7
.endm
.macro Wait_On_Semaphore
    .byte 8
.endm
.macro Branch_To_Sub_List address
    .byte 17
    .4byte \address
.endm
.macro Store_Multi_Sample
    .byte 24
.endm
.macro Store_Multi_Sample_End
    .byte 25
.endm
.macro Store_Nothing            /* Store Tile Buffer General */
    .byte 28, 0, 0, 0, 0, 0, 0
.endm
.macro Vertex_Array_Primitives mode, length, first
    .byte 33, \mode
    .4byte \length, \first
.endm
.macro NV_Shader_State record
    .byte 65
    .4byte \record
.endm
.macro Configuration_Bits bits
    .byte 96, (\bits) & 255, (\bits) >> 8 & 255, (\bits) >> 16
.endm
.macro Clip_Window left, bottom, width, height
    .byte 102
    .2byte \left, \bottom, \width, \height
.endm
.macro Viewport_Offset x, y
    .byte 103
    .2byte \x, \y
.endm
.macro Tile_Binning_Mode_Configuration address, size, state, width, height, flags
    .byte 112
    .4byte \address, \size, \state
    .byte \width, \height, \flags
.endm
.macro Tile_Rendering_Mode_Configuration address, width, height, flags
    .byte 113
    .4byte \address
    .2byte \width, \height, \flags
.endm
.macro Clear_Colors color
    .byte 114
    .4byte \color, \color, 0
    .byte 0
.endm
.macro Tile_Coordinates column, row
    .byte 115, \column, \row
.endm

.data
.global binning_list, binning_list_end
binning_list:
    Tile_Binning_Mode_Configuration tile_allocation + BUS, TILE_ALLOCATION_SIZE, tile_state + BUS, TILES_X, TILES_Y, 4 /* initialise the tile state */
    .byte 6                     /* Start Tile Binning */
    Increment_Semaphore         /* when the lists of all tiles are complete */
    Clip_Window 0, 0, SCREEN_X, SCREEN_Y
    Configuration_Bits 3        /* triangles of both directions */
    Viewport_Offset 0, 0
    NV_Shader_State shader_record + BUS
    Vertex_Array_Primitives 4, 3, 0     /* triangles */
    .byte 4                     /* Flush */
binning_list_end:

.global rendering_list, rendering_list_end, framebuffer_address
rendering_list:
    Wait_On_Semaphore
    Clear_Colors 0xff00ffff
    .byte 113                   /* Tile Rendering Mode Configuration */
framebuffer_address:
    .4byte 0                    /* main.c writes it */
    .2byte SCREEN_X, SCREEN_Y, 4        /* RGBA8888 */
    Tile_Coordinates 0, 0       /* a store clears the tile buffer */
    Store_Nothing
    .set row, 0
    .rept TILES_Y
        .set column, 0
        .rept TILES_X
            Tile_Coordinates column, row
            Branch_To_Sub_List tile_allocation + BUS + (row * TILES_X + column) * 32
            .if row == TILES_Y - 1 && column == TILES_X - 1
                Store_Multi_Sample_End
            .else
                Store_Multi_Sample
            .endif
            .set column, column + 1
        .endr
        .set row, row + 1
    .endr
rendering_list_end:

.balign 16
shader_record:
    .byte 1                     /* the fragment shader has one thread */
    .byte 3 * 4                 /* bytes per vertex */
    .byte 0, 0                  /* uniforms, varyings */
    .4byte fragment_shader + BUS, 0, vertices + BUS

.balign 16
vertices:                       /* x and y in sixteenths of pixels, z, 1 / w */
    .2byte 320 * 16, 32 * 16
    .single 1.0, 1.0
    .2byte 32 * 16, 448 * 16
    .single 1.0, 1.0
    .2byte 608 * 16, 448 * 16
    .single 1.0, 1.0

.bss
.balign 4096
tile_allocation:
    .space TILE_ALLOCATION_SIZE
.balign 16
tile_state:
    .space 48 * TILES_X * TILES_Y
