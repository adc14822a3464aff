# SPDX-License-Identifier: MIT
# Every pixel is white.
.global fragment_shader
.align 8
fragment_shader:
    nop                         # the first two instructions must not touch the tile buffer
    nop
    ldi tlbc, 0xffffffff
    nop; nop; sbdone
    nop; nop; thrend
    nop
    nop
