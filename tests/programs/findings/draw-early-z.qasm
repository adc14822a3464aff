# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_configuration
    cl.configuration_bits forward, reverse, depth_test=lt, early_z
.endm

.macro part_clear               # all pixels fail the test: no Z is less than 0
    cl.clear_colors color=0xff00ffff, z=0
.endm

frame
