# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_tile, tile, column, row     # no branch to the tile's list
    cl.tile_coordinates column, row
    .if tile == TILES_X * TILES_Y - 1
        part_last_store
    .else
        part_store
    .endif
.endm

frame
