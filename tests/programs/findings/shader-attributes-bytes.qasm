# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_shader_state
    cl.gl_shader_state shader_record, attribute_arrays=1
.endm

.macro part_record
    shader.gl single_threaded, varyings=1, code=shader, uniforms=uniforms, vertex_attributes=1, vertex_attribute_bytes=12, vertex_code=vertex_shader, vertex_uniforms=uniforms, coordinate_attributes=1, coordinate_attribute_bytes=12, coordinate_code=coordinate_shader, coordinate_uniforms=uniforms
    shader.attribute address=vertices, bytes=12, stride=8, vertex_offset=0, coordinate_offset=0
.endm

.macro part_vertices
    .short 64 * 16, 4 * 16
    .float 0
    .short 4 * 16, 60 * 16
    .float 0.5
    .short 124 * 16, 60 * 16
    .float 1
    .float 0                    # the last 4 of the third vertex's 12 bytes
.endm

.macro part_shader
    mov r0, vary
    nop
    draw_white
    .align 8
# tessera: kind vertex
vertex_shader:
    ldi vr_setup, 0x00301a00
    ldi vw_setup, 0x00001a00
    nop
    nop
    mov ra0, vpm                # Ys, Xs
    mov ra1, vpm                # the varying
    mov -, vpm                  # the next vertex's Ys, Xs
    mov vpm, ra0
    ldi vpm, 0.5                # Zs
    ldi vpm, 1.0                # 1 / Wc
    mov vpm, ra1
    end_program
# tessera: kind coordinate
coordinate_shader:
    ldi vr_setup, 0x00301a00
    ldi vw_setup, 0x00001a00
    nop
    nop
    mov ra0, vpm                # Ys, Xs
    mov ra1, vpm                # the varying
    mov -, vpm                  # the next vertex's Ys, Xs
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
