# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_shader
    nop
    nop
    draw_white
.endm

frame
