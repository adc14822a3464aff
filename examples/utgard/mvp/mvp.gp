# SPDX-License-Identifier: MIT
# Model, view, projection, and the output transform at the end of every vertex program for this GPU.
#
#     uniform mat4 mvp;
#     attribute vec4 position, colour;
#     varying vec4 v_colour;
#     void main() { gl_Position = mvp * position; v_colour = colour; }
#
# The hardware needs gl_Position in window coordinates, so the compiler adds (docs/hardware/utgard.md, section 11):
#
#     w = clamp(1.0 / clip.w, -1e10, 1e10);
#     xyz = clip.xyz * w * gl_mali_ViewportTransform[0].xyz + gl_mali_ViewportTransform[1].xyz;
#
# 14 instructions, the minimum: of the multipliers' slots, two per instruction, 25 are needed: 16 for products with the matrix, 3 for the
# reciprocal (complex2 uses one, complex1 both), 6 for the output transform. These are 13 instructions, and the last product needs one
# more to be added and stored.
#
# The longest dependency chain contains the reciprocal, so clip.w is computed first, together with clip.x. While the complex unit computes
# 1/w, the multipliers compute clip.y and clip.z. An instruction loads only one row: the column of the matrix that it multiplies by.

.attribute position, 0
.attribute colour, 1
.varying gl_Position, 0
.varying v_colour, 1
.uniform mvp, 4                             # the matrix's columns
.uniform gl_mali_ViewportTransform, 2       # scale, offset
.constant limits, -1e10, 1e10               # limits of 1/w

.set column, mvp
.set scale, gl_mali_ViewportTransform
.set offset, gl_mali_ViewportTransform + 1

.set REG_X, 0                               # register 0: x is clip.x * scale.x

main:
    # 0 to 3: four products each for clip.w (mul0, acc0) and clip.x (mul1, acc1).
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

    # 4: clip.w and clip.x are complete. The multipliers begin with clip.y and clip.z.
    load.attr position; load.unif column + 0
    ; mul0.mul attr.x, unif.y; mul1.mul attr.x, unif.z
    ; acc0.add acc0[-1], mul0[-1]; acc1.add acc1[-1], mul1[-1]

    # 5: first step of 1/w. mul1 is free, and computes clip.x * scale.x, which waits in a register
    # until 1/w is ready. The accumulators keep the two products of 4.
    load.unif scale
    ; complex.rcp acc0[-1]; mul0.complex2 acc0[-1], acc0[-1]; mul1.mul acc1[-1], unif.x
    ; acc0.mov mul0[-1]; acc1.mov mul1[-1]
    ; store0.reg REG_X, mul1, _

    # 6: second step, which uses both multipliers. Its result is ready in 8. Instruction 8 loads the
    # row of the limits of 1/w, so its factors are fetched here.
    load.unif column + 1
    ; mul0.complex1 complex[-1], mul0[-1], complex[-1], acc0[-2]
    ; acc0.mov unif.y; acc1.mov unif.z

    load.attr position; load.unif column + 2
    ; mul0.mul attr.z, unif.y; mul1.mul attr.z, unif.z
    ; acc0.mov acc0[-2]; acc1.mov acc1[-2]

    # 8: 1/w is clamped to its limits and stored.
    load.attr position; load.unif limits
    ; pass.clamp mul0[-2]; store1.varying gl_Position, _, pass
    ; mul0.mul attr.y, acc0[-2]; mul1.mul attr.y, acc1[-2]
    ; acc0.add acc0[-1], mul0[-1]; acc1.add acc1[-1], mul1[-1]

    load.attr position; load.unif column + 3
    ; mul0.mul attr.w, unif.y; mul1.mul attr.w, unif.z
    ; acc0.add acc0[-1], mul0[-1]; acc1.add acc1[-1], mul1[-1]

    # 10: clip.y and clip.z are complete. The pass unit keeps 1/w. The colour goes through idle units.
    load.attr colour; load.reg1 REG_X
    ; acc0.add acc0[-1], mul0[-1]; acc1.add acc1[-1], mul1[-1]
    ; mul0.mul reg1.x, pass[-2]; pass.mov pass[-2]
    ; mul1.mov attr.x; complex.mov attr.y; store0.varying v_colour, mul1, complex

    load.unif scale
    ; mul0.mul acc0[-1], unif.y; mul1.mul acc1[-1], unif.z
    ; acc0.mov attr[-1].z; acc1.mov attr[-1].w; store1.varying v_colour, acc0, acc1

    load.unif offset
    ; acc0.add mul0[-2], unif.x; store0.varying gl_Position, acc0, _
    ; mul0.mul mul0[-1], pass[-2]; mul1.mul mul1[-1], pass[-2]

    load.unif offset
    ; acc0.add mul0[-1], unif.y; store0.varying gl_Position, _, acc0
    ; acc1.add mul1[-1], unif.z; store1.varying gl_Position, acc1, _
