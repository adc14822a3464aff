# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_steps
    .scene bin binning_list binning_end
    .scene render rendering_list rendering_end
    .scene image framebuffer 128 64 rgba8888 t out.png
.endm

frame
