# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_shader_state
    cl.gl_shader_state shader_record, extended, attribute_arrays=1
.endm

.macro part_record
    shader.gl single_threaded, varyings=1, code=shader, uniforms=uniforms, vertex_attributes=1, vertex_attribute_bytes=8, vertex_code=vertex_shader, vertex_uniforms=uniforms, coordinate_attributes=1, coordinate_attribute_bytes=8, coordinate_code=coordinate_shader, coordinate_uniforms=uniforms
    shader.attribute address=vertices, bytes=8, stride=8, vertex_offset=0, coordinate_offset=0
    .rep i, 7
        shader.attribute address=vertices, bytes=4, stride=0
    .endr
    shader.extended_stride 0x104            # the hardware uses 0x108, with the low byte of stride=8
    .rep i, 7
        shader.extended_stride 0
    .endr
.endm

.macro part_vertices
    .rep i, 3
        .short 64 * 16 * (i == 1), 60 * 16 * (i == 2)
        .float 0.5
        .space 0x100
    .endr
.endm

.macro part_shader
    mov r0, vary
    nop
    draw_white
    .align 8
# tessera: kind vertex
vertex_shader:
    ldi vr_setup, 0x00201a00
    ldi vw_setup, 0x00001a00
    nop
    nop
    mov ra0, vpm                # Ys, Xs
    mov ra1, vpm                # the varying
    mov vpm, ra0
    ldi vpm, 0.5                # Zs
    ldi vpm, 1.0                # 1 / Wc
    mov vpm, ra1
    end_program
# tessera: kind coordinate
coordinate_shader:
    ldi vr_setup, 0x00201a00
    ldi vw_setup, 0x00001a00
    nop
    nop
    mov ra0, vpm                # Ys, Xs
    mov ra1, vpm                # the varying
    mov vpm, 0                  # Xc, Yc, Zc and Wc
    mov vpm, 0
    mov vpm, 0
    ldi vpm, 1.0
    mov vpm, ra0
    ldi vpm, 0.5
    ldi vpm, 1.0
    end_program
.endm

frame
