# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_steps
    .scene bin binning_list binning_list+5
.endm

frame
