# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_configuration       # the triangle is reverse facing, but only forward faces are drawn
    cl.configuration_bits forward, depth_test=always
.endm

frame
