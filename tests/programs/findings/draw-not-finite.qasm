# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_record
    shader.nv single_threaded, clipping, clip_header, stride=32, varyings=1, code=shader, uniforms=uniforms, vertices=vertices
.endm

.macro part_vertices            # the first vertex's clip_z is NaN
    .float 0, -1
    .int 0x7fc00000
    .float 1
    .short 64 * 16, 4 * 16
    .float 0.5, 1.0, 0.0
    vertex.nv clip_x=-1, clip_y=1, clip_z=0, clip_w=1, x=4, y=60, z=0.5, inverse_w=1.0, varyings=[0.5]
    vertex.nv clip_x=1, clip_y=1, clip_z=0, clip_w=1, x=124, y=60, z=0.5, inverse_w=1.0, varyings=[1.0]
.endm

frame
