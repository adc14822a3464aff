# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_steps
    .scene bin binning_list binning_end
.endm

.macro part_draw
    .byte 33, 9                 # mode 9, which the assembler's statements reject
    .word 3, 0
.endm

frame
