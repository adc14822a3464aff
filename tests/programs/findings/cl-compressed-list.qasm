# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_steps
    .scene bin binning_list binning_end
.endm

.macro part_draw
    cl.compressed_primitive_list
    .byte 0x00                  # relative to the previous primitive, which does not exist
    .byte 128
.endm

frame
