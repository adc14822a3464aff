# SPDX-License-Identifier: MIT
# The shaders of the article "Vertex and Coordinate Shaders". They compute nothing, but a shader must read every
# attribute once and write every result once.
.include <vc4.qinc>
.global vertex_shader
.global coordinate_shader
.global fragment_shader

# tessera: kind vertex
.align 8
vertex_shader:
    ldi vr_setup, vpm_setup(3, 1, h32(0))       # read 3 rows from row 0
    ldi vw_setup, vpm_setup(0, 1, h32(0))       # write from row 0
    nop                                         # the first row arrives 3 instructions after its request
    nop
    mov ra0, vpm                # Xs, Ys
    mov ra1, vpm                # Zs
    mov ra2, vpm                # 1/Wc
    mov vpm, ra0
    mov vpm, ra1
    mov vpm, ra2
    nop; nop; thrend
    nop
    nop

# tessera: kind coordinate
.align 8
coordinate_shader:
    ldi vr_setup, vpm_setup(7, 1, h32(0))
    ldi vw_setup, vpm_setup(0, 1, h32(0))
    nop
    nop
    mov ra0, vpm                # Xc
    mov ra1, vpm                # Yc
    mov ra2, vpm                # Zc
    mov ra3, vpm                # Wc
    mov ra4, vpm                # Xs, Ys
    mov ra5, vpm                # Zs
    mov ra6, vpm                # 1/Wc
    mov vpm, ra0
    mov vpm, ra1
    mov vpm, ra2
    mov vpm, ra3
    mov vpm, ra4
    mov vpm, ra5
    mov vpm, ra6
    nop; nop; thrend
    nop
    nop

# tessera: kind fragment
.align 8
fragment_shader:
    nop
    nop
    ldi tlbc, 0xffffffff
    nop; nop; sbdone
    nop; nop; thrend
    nop
    nop
