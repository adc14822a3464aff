# scene.qasm - a square, whose colour a fragment shader computes from two varyings.
.set VARYINGS, 2
.include "frame.qinc"

uniforms:
fragment_shader:
    fmul r0, vary, ra15                 # u: A * W; C arrives in r5
    fadd r0, r0, r5                     #    + C
    fmul r1, vary, ra15                 # v
    fadd r1, r1, r5
    ldi r3, 0xff000000                  # alpha 1, blue 0
    fmul r3.8as, r0, 1.0                # red: u, from 0.0 ... 1.0 to 0 ... 255
    fmul r3.8bs, r1, 1.0                # green: v
    mov tlbc, r3
    nop; nop; thrend
    nop
    nop; nop; sbdone

.scene image framebuffer 256 256 rgba8888 raster picture.png
