# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_shader_state
    cl.gl_shader_state shader_record, attribute_arrays=1
.endm

.macro part_record
    shader.gl single_threaded, varyings=1, code=shader, uniforms=uniforms, vertex_attributes=1, vertex_attribute_bytes=100, vertex_code=vertex_shader, vertex_uniforms=uniforms, coordinate_attributes=1, coordinate_attribute_bytes=100, coordinate_code=coordinate_shader, coordinate_uniforms=uniforms
    shader.attribute address=vertices, bytes=100, stride=100
.endm

.macro part_vertices
    .rep i, 25
        .short 64 * 16, 4 * 16
    .endr
    .rep i, 25
        .short 4 * 16, 60 * 16
    .endr
    .rep i, 25
        .short 124 * 16, 60 * 16
    .endr
.endm

.macro part_shader
    mov r0, vary
    nop
    draw_white
    .align 8
# tessera: kind vertex
vertex_shader:
    ldi vr_setup, 0x00001a00
    ldi vw_setup, 0x00001a00
    nop
    nop
    .rep i, 16
        mov ra0, vpm
    .endr
    ldi vr_setup, 0x00901a10    # rows 16 to 24
    nop
    nop
    nop
    .rep i, 9
        mov ra1, vpm
    .endr
    mov vpm, ra0
    ldi vpm, 0.5
    ldi vpm, 1.0
    mov vpm, ra1
    end_program
# tessera: kind coordinate
coordinate_shader:
    ldi vr_setup, 0x00001a00
    ldi vw_setup, 0x00001a00
    nop
    nop
    .rep i, 16
        mov ra0, vpm
    .endr
    ldi vr_setup, 0x00901a10    # rows 16 to 24
    nop
    nop
    nop
    .rep i, 9
        mov ra1, vpm
    .endr
    mov vpm, 0
    mov vpm, 0
    mov vpm, 0
    ldi vpm, 1.0
    mov vpm, ra0
    ldi vpm, 0.5
    ldi vpm, 1.0
    end_program
.endm

.macro part_steps
    .scene write V3D_VPACNTL 0x1000  # enables the limits, at their minimum
    .scene bin binning_list binning_end
    .scene render rendering_list rendering_end
.endm

frame
