# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_first_store
.endm

frame
