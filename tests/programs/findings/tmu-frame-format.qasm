# SPDX-License-Identifier: MIT
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

.macro part_more                # draws 16x16 texels in raster format, but the shader reads the texture in LT-format
    .org 0x40040000
texture_list:
    cl.clear_colors color=0xff00ffff, z=0xffffff
    cl.tile_rendering_mode address=texture, width=16, height=16, color_format=rgba8888
    part_first_store
    cl.tile_coordinates 0, 0
    part_last_store
texture_end:
.endm

.macro part_steps
    .scene render texture_list texture_end
    .scene bin binning_list binning_end
    .scene render rendering_list rendering_end
    .scene image framebuffer 128 64 rgba8888 raster out.png
.endm

frame
