# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_vertices            # the triangle lies between the pixel centres at 10.5 and 11.5
    vertex.nv x=10.625, y=10.625, z=0.5, inverse_w=1.0, varyings=[0.0]
    vertex.nv x=10.625, y=11.375, z=0.5, inverse_w=1.0, varyings=[0.5]
    vertex.nv x=11.375, y=11.375, z=0.5, inverse_w=1.0, varyings=[1.0]
.endm

frame
