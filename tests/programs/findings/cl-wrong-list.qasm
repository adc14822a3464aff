# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_steps
    .scene bin binning_list binning_end
.endm

.macro part_draw
    cl.tile_coordinates 0, 0
.endm

frame
