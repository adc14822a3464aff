# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_steps
    .scene bin binning_list binning_end
.endm

.macro part_draw
again:
    cl.branch_to_sub_list again
.endm

frame
