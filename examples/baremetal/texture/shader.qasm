# SPDX-License-Identifier: MIT
# Colours each pixel with the texel at the varyings s and t.
.global fragment_shader
.align 8
fragment_shader:
    fmul r0, vary, ra15         # ra15 is W; reading a varying also sets r5 to its constant part
    fadd r0, r0, r5;    fmul r1, vary, ra15     # s
    fadd t0t, r1, r5            # the first word of the texture's uniforms
    mov t0s, r0                 # the second; starts the lookup
    nop; nop; ldtmu0            # waits; the texel arrives in r4
    mov tlbc, r4
    nop; nop; sbdone
    nop; nop; thrend
    nop
    nop
