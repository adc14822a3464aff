# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_steps
    .scene bin binning_list binning_end
.endm

.macro part_draw
    cl.primitive_list_format lines, index_16_bit
    cl.compressed_primitive_list
    .byte 129, 0, 0, 1, 0       # a line with absolute indices
    .byte 128
.endm

frame
