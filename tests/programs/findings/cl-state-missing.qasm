# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_configuration
.endm

frame
