# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_steps
    .scene bin binning_list binning_end
.endm

.macro part_draw
    .byte 200
.endm

frame
