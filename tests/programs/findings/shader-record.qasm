# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_record
    .byte 0x81, 16, 0, 1        # flag 7, which the assembler's statements reject
    .word shader, uniforms, vertices
.endm

frame
