# scene.qasm - draws a square; the fragment shader computes each colour from two varyings.
.set VARYINGS, 2
.include "frame.qinc"

uniforms:
fragment_shader:
    fmul r0, vary, ra15                 # u = A * W + C: vary reads A and loads C into r5
    fadd r0, r0, r5
    fmul r1, vary, ra15                 # v, like u
    fadd r1, r1, r5
    ldi r3, 0xff000000                  # alpha 255, blue 0
    fmul r3.8as, r0, 1.0                # red: u, converted from 0.0 ... 1.0 to 0 ... 255
    fmul r3.8bs, r1, 1.0                # green: v, converted like u
    mov tlbc, r3
    nop; nop; thrend
    nop
    nop; nop; sbdone

.scene image framebuffer 256 256 rgba8888 raster picture.png
