# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_steps
    .scene bin binning_list binning_end
.endm

.macro part_draw
    cl.primitive_list_format rhts, index_16_bit
    cl.nv_shader_state shader_record
    cl.compressed_primitive_list
    .byte 129, 0, 0, 1, 0
    .byte 128
.endm

frame
