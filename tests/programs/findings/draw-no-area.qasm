# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_vertices            # all vertices are on one line
    vertex.nv x=4, y=4, z=0.5, inverse_w=1.0, varyings=[0.0]
    vertex.nv x=34, y=34, z=0.5, inverse_w=1.0, varyings=[0.5]
    vertex.nv x=60, y=60, z=0.5, inverse_w=1.0, varyings=[1.0]
.endm

frame
