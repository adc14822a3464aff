# SPDX-License-Identifier: MIT
# Two shader state records follow each other, without a draw between them.
.include "../frame.inc"

.macro part_draw
    cl.nv_shader_state shader_record
    cl.vertex_array_primitives mode=triangles, length=3, first=0
.endm

frame
