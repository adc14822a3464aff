# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_tile, tile, column, row
    cl.tile_coordinates column, row
    cl.branch_to_sub_list tile_allocation + 0x80000000 + tile * 32
    .if tile == TILES_X * TILES_Y - 1
        part_last_store
    .else
        part_store
    .endif
.endm

frame
