# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_increment
.endm

frame
