# SPDX-License-Identifier: MIT
# Points that shrink with their distance: gl_PointSize, with the transform that the compiler adds.
#
#     uniform mat4 mvp;
#     attribute vec4 position;
#     attribute vec4 colour_size;             // a colour, and the size at w = 1
#     varying vec3 v_colour;
#     void main()
#     {
#         gl_Position = mvp * position;
#         gl_PointSize = colour_size.w / gl_Position.w;
#         v_colour = colour_size.xyz;
#     }
#
# gl_PointSize is a separate varying of one float. The compiler adds (docs/hardware/utgard.md, section 11):
#
#     gl_PointSize = clamp(gl_PointSize, gl_mali_PointSizeParameters.x, gl_mali_PointSizeParameters.y)
#                    * gl_mali_PointSizeParameters.z;
#
# x and y are the smallest and the greatest size; z is a scale, for instance if samples are finer than pixels.
#
# 15 instructions: up to 9 those of mvp.gp, then with two more products. 27 slots of the multipliers are 14
# instructions, and one more stores the last result.

.attribute position, 0
.attribute colour_size, 1
.varying gl_Position, 0
.varying v_colour, 1, 3
.varying gl_PointSize, 2, 1
.uniform mvp, 4                             # the matrix's columns
.uniform gl_mali_ViewportTransform, 2       # scale, offset
.uniform gl_mali_PointSizeParameters
.constant limits, -1e10, 1e10               # limits of 1/w

.set column, mvp
.set scale, gl_mali_ViewportTransform
.set offset, gl_mali_ViewportTransform + 1
.set sizes, gl_mali_PointSizeParameters

.set REG_X, 0                               # register 0: x is clip.x * scale.x

main:
    # 0 to 9: as in mvp.gp.
    load.attr position; load.unif column + 0
    ; mul0.mul attr.x, unif.w; mul1.mul attr.x, unif.x

    load.attr position; load.unif column + 1
    ; mul0.mul attr.y, unif.w; mul1.mul attr.y, unif.x

    load.attr position; load.unif column + 2
    ; mul0.mul attr.z, unif.w; mul1.mul attr.z, unif.x
    ; acc0.add mul0[-2], mul0[-1]; acc1.add mul1[-2], mul1[-1]

    load.attr position; load.unif column + 3
    ; mul0.mul attr.w, unif.w; mul1.mul attr.w, unif.x
    ; acc0.add acc0[-1], mul0[-1]; acc1.add acc1[-1], mul1[-1]

    load.attr position; load.unif column + 0
    ; mul0.mul attr.x, unif.y; mul1.mul attr.x, unif.z
    ; acc0.add acc0[-1], mul0[-1]; acc1.add acc1[-1], mul1[-1]

    load.unif scale
    ; complex.rcp acc0[-1]; mul0.complex2 acc0[-1], acc0[-1]; mul1.mul acc1[-1], unif.x
    ; acc0.mov mul0[-1]; acc1.mov mul1[-1]
    ; store0.reg REG_X, mul1, _

    load.unif column + 1
    ; mul0.complex1 complex[-1], mul0[-1], complex[-1], acc0[-2]
    ; acc0.mov unif.y; acc1.mov unif.z

    load.attr position; load.unif column + 2
    ; mul0.mul attr.z, unif.y; mul1.mul attr.z, unif.z
    ; acc0.mov acc0[-2]; acc1.mov acc1[-2]

    load.attr position; load.unif limits
    ; pass.clamp mul0[-2]; store1.varying gl_Position, _, pass
    ; mul0.mul attr.y, acc0[-2]; mul1.mul attr.y, acc1[-2]
    ; acc0.add acc0[-1], mul0[-1]; acc1.add acc1[-1], mul1[-1]

    load.attr position; load.unif column + 3
    ; mul0.mul attr.w, unif.y; mul1.mul attr.w, unif.z
    ; acc0.add acc0[-1], mul0[-1]; acc1.add acc1[-1], mul1[-1]

    # 10: clip.y and clip.z are complete; clip.x * scale.x / w; size / w
    load.attr colour_size; load.reg1 REG_X
    ; acc0.add acc0[-1], mul0[-1]; acc1.add acc1[-1], mul1[-1]
    ; mul0.mul reg1.x, pass[-2]; mul1.mul attr.w, pass[-2]; pass.mov pass[-2]
    ; complex.mov attr.x; store0.varying v_colour, complex, _

    load.unif scale
    ; mul0.mul acc0[-1], unif.y; mul1.mul acc1[-1], unif.z
    ; acc0.mov attr[-1].y; store0.varying v_colour, _, acc0
    ; acc1.mov attr[-1].z; store1.varying v_colour, acc1, _

    # 12: the size is clamped. acc0 keeps the summand of 13; the complex unit passes the factor to 13.
    load.unif sizes
    ; mul0.mul mul0[-1], pass[-2]; mul1.mul mul1[-1], pass[-2]
    ; pass.clamp mul1[-2]; acc0.mov mul0[-2]; complex.mov unif.z

    load.unif offset
    ; acc0.add acc0[-1], unif.x; acc1.add mul0[-1], unif.y; store0.varying gl_Position, acc0, acc1
    ; mul0.mul complex[-1], pass[-1]

    # 14: store unit 0 was busy with the position, so the size is stored one instruction later.
    load.unif offset
    ; acc0.add mul1[-2], unif.z; store1.varying gl_Position, acc0, _
    ; mul0.mov mul0[-1]; store0.varying gl_PointSize, mul0, _
