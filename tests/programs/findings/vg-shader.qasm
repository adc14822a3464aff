# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_steps
    .scene bin binning_list binning_end
.endm

.macro part_draw
    cl.vg_coordinate_array_primitives type=triangles, length=3, address=coordinates
.endm

.macro part_more
coordinates:
    vertex.vg 8, 8
    vertex.vg 56, 8
    vertex.vg 8, 56
.endm

frame
