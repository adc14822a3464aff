# SPDX-License-Identifier: MIT
# Uniforms: a triangle whose colour comes from four float uniforms (0, 1, 0, 1: green), each packed into a byte
# by the mul ALU.
#
# Source: the article "Shaders, Uniforms, and Varyings".

.include "../include/control_list.inc"
.set CLEAR_COLOUR, 0xFF00FFFF
.include "../include/frame_640x480.inc"

.org 0x40000000
shader_record:
    NV_Shader_Record 0, 3 * 4, 0, fragment_shader, uniforms, vertices

uniforms:
    .single 0.0                 # red
    .single 1.0                 # green
    .single 0.0                 # blue
    .single 1.0                 # alpha

vertices:
    Shaded_Vertex 320, 32, 1.0, 1.0
    Shaded_Vertex 32, 448, 1.0, 1.0
    Shaded_Vertex 608, 448, 1.0, 1.0

.align 16
fragment_shader:
    # 1.0 is a small immediate. Each float is clamped to 0..1 ("s") and becomes one byte of r5.
    # These are the article's words; it prints the first, the others differ in the pack field only.
    .int 0x20820DF7, 0xD14059E5     # fmul r5quad.8as, unif, 1.0
    .int 0x20820DF7, 0xD15059E5     # fmul r5quad.8bs, unif, 1.0
    .int 0x20820DF7, 0xD16059E5     # fmul r5quad.8cs, unif, 1.0
    .int 0x20820DF7, 0xD17059E5     # fmul r5quad.8ds, unif, 1.0
    mov tlbc, r5
    nop; nop; sbdone
    nop; nop; thrend            # no uniform may be read from here on
    nop
    nop

.scene image framebuffer 640 480 rgba8888 raster uniform-colour.png
