# SPDX-License-Identifier: MIT
# The host clears the caches between binning and rendering with textures.
.include "../frame.inc"

.macro part_shader
    mov r0, vary
    nop
    mov t0t, r0
    mov t0s, r0
    nop; nop; ldtmu0
    mov r0, r4
    draw_white
.endm

.macro part_steps
    .scene bin binning_list binning_end
    .scene write V3D_L2CACTL 4
    .scene write V3D_SLCACTL 0x0f0f0f0f
    .scene render rendering_list rendering_end
.endm

frame
