# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_wait                # record 8 is missing
.endm

frame
