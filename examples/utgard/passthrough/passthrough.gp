# SPDX-License-Identifier: MIT
# The shortest useful vertex program: it stores its inputs.
#
#     attribute vec4 position, colour;
#     varying vec4 v_colour;
#     void main() { gl_Position = position; v_colour = colour; }
#
# Without an output transform: position is already in window coordinates, as x and y in pixels, z, and 1/w.
#
# An attribute cannot be stored directly: it must go through a unit first. Each of the four units here
# moves one component, and its result is stored. So four components cost one instruction.

.attribute position, 0
.attribute colour, 1
.varying gl_Position, 0
.varying v_colour, 1

main:
    load.attr position
    ; acc0.mov attr.x; acc1.mov attr.y; mul0.mov attr.z; mul1.mov attr.w
    ; store0.varying gl_Position, acc0, acc1; store1.varying gl_Position, mul0, mul1

    load.attr colour
    ; acc0.mov attr.x; acc1.mov attr.y; mul0.mov attr.z; mul1.mov attr.w
    ; store0.varying v_colour, acc0, acc1; store1.varying v_colour, mul0, mul1
