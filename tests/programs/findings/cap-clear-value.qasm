# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_configuration
    cl.configuration_bits forward, reverse, oversample=x16, coverage_pipe
.endm

.macro part_record
    shader.nv single_threaded, stride=12, varyings=0, code=shader, uniforms=uniforms, vertices=vertices
.endm

.macro part_vertices
    .rep i, 3
    vertex.nv x=64 * (i == 1), y=64 * (i == 2), z=0.5, inverse_w=1.0
    .endr
.endm

.macro part_shader
    nop
    nop
    draw_white
.endm

frame
