# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_record
    shader.nv single_threaded, clipping, stride=16, varyings=1, code=shader, uniforms=uniforms, vertices=vertices
.endm

frame
