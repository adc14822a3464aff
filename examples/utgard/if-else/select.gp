# SPDX-License-Identifier: MIT
# A decision without a branch: both values are computed, and mul0.select selects one.
#
#     uniform vec4 lamp;                      // a colour, and the square of a radius
#     attribute vec2 position;
#     attribute vec3 colour;
#     varying vec3 v_colour;
#     void main()
#     {
#         gl_Position = vec4(position, 0.0, 1.0);
#         if (dot(position, position) < lamp.w)
#             v_colour = lamp.rgb;
#         else
#             v_colour = colour;
#     }
#
# select uses both multipliers, so each component costs an instruction. 6 instructions, always. branch.gp does the same with a branch.

.attribute position, 0, 2
.attribute colour, 1, 3
.varying gl_Position, 0
.varying v_colour, 1, 3
.uniform lamp

main:
    # Missing components of an attribute are 0, 0, 0, 1.
    load.attr position
    ; mul0.mul attr.x, attr.x; mul1.mul attr.y, attr.y
    ; acc0.mov attr.x; acc1.mov attr.y; store0.varying gl_Position, acc0, acc1
    ; pass.mov attr.z; complex.mov attr.w; store1.varying gl_Position, pass, complex

    acc0.add mul0[-1], mul1[-1]

    load.unif lamp
    ; acc0.lt acc0[-1], unif.w

    load.attr colour; load.unif lamp
    ; mul0.select acc0[-1], unif.x, attr.x; store0.varying v_colour, mul0, _
    ; pass.mov acc0[-1]

    load.attr colour; load.unif lamp
    ; mul0.select acc0[-2], unif.y, attr.y; store0.varying v_colour, _, mul0

    load.attr colour; load.unif lamp
    ; mul0.select pass[-2], unif.z, attr.z; store1.varying v_colour, mul0, _
