# SPDX-License-Identifier: MIT
# A filter blends infinity in one level with a negative 16-bit float in the other. The result has the wrong sign.
.include "../frame.inc"

.macro part_uniforms
    uniform.texture base=level_0, type=s16f, width=4, height=4, levels=2, min_filter=lin_mip_lin
    uniform.cube_map stride=0, bias_only    # register t0b selects the level
.endm

.macro part_more
    .org 0x40030000
    .space 0x1000 - 64
level_1:                        # 2x2 texels, padded to 64 bytes
    .fill 32, 2, 0xbc00         # -1.0
level_0:
    .fill 32, 2, 0x7c00         # infinity
.endm

.macro part_shader
    mov r0, vary
    nop
    nop
    ldi t0b, 0.5                # halfway between the levels
    ldi t0t, 0.125
    ldi t0s, 0.125
    nop; nop; ldtmu0
    mov r0, r4
    draw_white
.endm

frame
