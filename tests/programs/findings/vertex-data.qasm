# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_record
    shader.nv single_threaded, stride=8, varyings=1, code=shader, uniforms=uniforms, vertices=vertices
.endm

frame
