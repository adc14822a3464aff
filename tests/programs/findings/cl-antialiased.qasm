# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_configuration
    cl.configuration_bits forward, reverse, antialiased, depth_test=always
.endm

frame
