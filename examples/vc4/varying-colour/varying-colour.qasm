# SPDX-License-Identifier: MIT
# Varyings: a triangle with a red, a green and a blue corner. The hardware hands the shader V and C of each
# varying; the shader computes V * W + C, with W in ra15. Reading a varying puts its C into r5.
#
# Source: the article "Shaders, Uniforms, and Varyings".

.include "../include/control_list.inc"
.set CLEAR_COLOUR, 0xFF00FFFF
.include "../include/frame_640x480.inc"

.org 0x40000000
shader_record:
    NV_Shader_Record 0, 3 * 4 + 3 * 4, 3, fragment_shader, 0, vertices

vertices:
    Shaded_Vertex 320, 32, 1.0, 1.0
    .single 1.0, 0.0, 0.0
    Shaded_Vertex 32, 448, 1.0, 1.0
    .single 0.0, 1.0, 0.0
    Shaded_Vertex 608, 448, 1.0, 1.0
    .single 0.0, 0.0, 1.0

.align 16
fragment_shader:
    fmul r0, ra15, vary                                 # R * W
    .int 0x213E3177, 0x11024821                         # fadd r0, r0, r5; fmul r1, ra15, vary:
                                                        # R * W + C; G * W, in the article's own word
    fadd r1, r1, r5; fmul r2, ra15, vary                # G * W + C; B * W
    fadd r2, r2, r5
    ldi r3, 0xFF000000                                  # alpha
    fmul r3.8as, r0, 1.0
    fmul r3.8bs, r1, 1.0
    fmul r3.8cs, r2, 1.0
    mov tlbc, r3
    nop; nop; sbdone
    nop; nop; thrend                                    # all varyings must have been read
    nop
    nop

.scene image framebuffer 640 480 rgba8888 raster varying-colour.png
