# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_configuration       # the triangle is reverse facing
    cl.configuration_bits forward, depth_test=always
.endm

frame
