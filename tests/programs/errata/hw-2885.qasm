# SPDX-License-Identifier: MIT
# Primitives go to the coverage pipe after primitives with varyings.
.include "../frame.inc"

.macro part_draw
    cl.vertex_array_primitives mode=triangles, length=3, first=0
    cl.configuration_bits forward, reverse, oversample=x16, coverage_pipe
    cl.vertex_array_primitives mode=triangles, length=3, first=0
.endm

.macro part_clear
    cl.clear_colors color=0xff00ffff, z=0
.endm

frame
