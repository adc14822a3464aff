# SPDX-License-Identifier: MIT
# A shader state without a draw, followed by another shader state.
.include "../frame.inc"

.macro part_draw
    cl.nv_shader_state shader_record
    cl.vertex_array_primitives mode=triangles, length=3, first=0
.endm

frame
