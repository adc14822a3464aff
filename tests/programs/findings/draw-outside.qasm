# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_vertices            # columns 204 to 324, but the picture has only 128 columns
    vertex.nv x=264, y=4, z=0.5, inverse_w=1.0, varyings=[0.0]
    vertex.nv x=204, y=60, z=0.5, inverse_w=1.0, varyings=[0.5]
    vertex.nv x=324, y=60, z=0.5, inverse_w=1.0, varyings=[1.0]
.endm

frame
