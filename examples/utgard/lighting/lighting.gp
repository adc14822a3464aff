# SPDX-License-Identifier: MIT
# Lighting per vertex. The GLSL is the example in "A2XX Shader Instruction Set Architecture", here for another processor:
#
#     uniform mat4 modelviewMatrix;
#     uniform mat4 modelviewprojectionMatrix;
#     uniform mat3 normalMatrix;
#     attribute vec4 in_position;
#     attribute vec3 in_normal;
#     attribute vec4 in_color;
#     vec4 lightSource = vec4(2.0, 2.0, 20.0, 0.0);
#     varying vec4 vVaryingColor;
#     void main()
#     {
#         gl_Position = modelviewprojectionMatrix * in_position;
#         vec3 vEyeNormal = normalMatrix * in_normal;
#         vec4 vPosition4 = modelviewMatrix * in_position;
#         vec3 vPosition3 = vPosition4.xyz / vPosition4.w;
#         vec3 vLightDir = normalize(lightSource.xyz - vPosition3);
#         float diff = max(0.0, dot(vEyeNormal, vLightDir));
#         vVaryingColor = vec4(diff * in_color.rgb, 1.0);
#     }
#
# 36 instructions. The required slots of the multipliers:
#
#     modelviewMatrix * in_position             16     modelviewprojectionMatrix * in_position   16
#     1 / vPosition4.w, and times xyz            6     1 / clip.w, in the output transform        3
#     d = lightSource - vPosition3: dot(d, d)    3     clip.xyz * scale * 1/w                     6
#     normalMatrix * in_normal                   9     inversesqrt(dot(d, d))                     3
#     dot(vEyeNormal, d), times inversesqrt      4     diff * in_color.rgb                        3
#
# 69 slots are at least 35 instructions, and one more is for the last addition. The multipliers are idle in one slot of
# these 35, so only other arithmetic would be faster. One such change is included: dot(n, d * r) is computed as dot(n, d)
# * r, which saves two products.
#
# The three computations that wait for the complex unit start as early as possible, and fill each other's gaps:
#
#      0 - 12  vPosition4, its reciprocal, d             18 - 24  vEyeNormal, dot(vEyeNormal, d), diff
#     11 - 19  dot(d, d), its inverse root               19 - 29  clip.w and clip.x, 1/clip.w
#     10 - 19  vEyeNormal where there is room            28 - 35  clip.y and clip.z, the output transform

.attribute in_position, 0
.attribute in_normal, 1, 3
.attribute in_color, 2
.varying gl_Position, 0
.varying vVaryingColor, 1
.uniform modelviewMatrix, 4                     # matrices by columns
.uniform modelviewprojectionMatrix, 4
.uniform normalMatrix, 3
.uniform gl_mali_ViewportTransform, 2           # scale, offset
.constant lightSource, 2.0, 2.0, 20.0, 0.0
.constant limits, -1e10, 1e10, 1.0              # limits of 1/w, and 1.0

.set view, modelviewMatrix
.set clip, modelviewprojectionMatrix
.set normal, normalMatrix
.set scale, gl_mali_ViewportTransform
.set offset, gl_mali_ViewportTransform + 1

# Registers keep values that are used more than two instructions later. They can be read three instructions after a store.
.set REG_D, 0           # x, z, w: d; y: vEyeNormal.z
.set REG_VIEW_X, 1      # x: vPosition4.x
.set REG_NORMAL_Z, 2    # x: first product of vEyeNormal.z
.set REG_CLIP_WX, 3     # x, y: first products of clip.w and clip.x
.set REG_CLIP_Y, 4      # x: a product of clip.y
.set REG_SCALE_X, 5     # z: scale.x
.set REG_CLIP_X, 6      # x: clip.x * scale.x

main:
    # --- 0 to 4: vPosition4.w (mul0, acc0) and .x (mul1, acc1)
    load.attr in_position; load.unif view + 0
    ; mul0.mul attr.x, unif.w; mul1.mul attr.x, unif.x

    load.attr in_position; load.unif view + 1
    ; mul0.mul attr.y, unif.w; mul1.mul attr.y, unif.x

    load.attr in_position; load.unif view + 2
    ; mul0.mul attr.z, unif.w; mul1.mul attr.z, unif.x
    ; acc0.add mul0[-2], mul0[-1]; acc1.add mul1[-2], mul1[-1]

    load.attr in_position; load.unif view + 3
    ; mul0.mul attr.w, unif.w; mul1.mul attr.w, unif.x
    ; acc0.add acc0[-1], mul0[-1]; acc1.add acc1[-1], mul1[-1]

    # 4: both are complete. Products for .y (mul0, acc0) and .z (mul1, acc1) begin.
    load.attr in_position; load.unif view + 0
    ; mul0.mul attr.x, unif.y; mul1.mul attr.x, unif.z
    ; acc0.add acc0[-1], mul0[-1]; acc1.add acc1[-1], mul1[-1]
    ; store0.reg REG_VIEW_X, acc1, _

    # 5: 1 / vPosition4.w. complex2 leaves mul1 free, for the normal. The accumulators keep the products of 4.
    load.attr in_normal; load.unif normal + 0
    ; complex.rcp acc0[-1]; mul0.complex2 acc0[-1], acc0[-1]
    ; mul1.mul attr.x, unif.z; store0.reg REG_NORMAL_Z, mul1, _
    ; acc0.mov mul0[-1]; acc1.mov mul1[-1]

    mul0.complex1 complex[-1], mul0[-1], complex[-1], acc0[-2]

    load.attr in_position; load.unif view + 1
    ; mul0.mul attr.y, unif.y; mul1.mul attr.y, unif.z
    ; acc0.mov acc0[-2]; acc1.mov acc1[-2]

    # 8: the reciprocal can be read, only in this instruction. The pass unit keeps it.
    load.attr in_position; load.unif view + 2
    ; mul0.mul attr.z, unif.y; mul1.mul attr.z, unif.z
    ; acc0.add acc0[-1], mul0[-1]; acc1.add acc1[-1], mul1[-1]
    ; pass.mov mul0[-2]

    load.attr in_position; load.unif view + 3
    ; mul0.mul attr.w, unif.y; mul1.mul attr.w, unif.z
    ; acc0.add acc0[-1], mul0[-1]; acc1.add acc1[-1], mul1[-1]

    # 10: vPosition4.y and .z are complete; vPosition3.x; a product of vEyeNormal.z.
    load.attr in_normal; load.unif normal + 1; load.reg1 REG_VIEW_X
    ; acc0.add acc0[-1], mul0[-1]; acc1.add acc1[-1], mul1[-1]
    ; mul0.mul reg1.x, pass[-2]; mul1.mul attr.y, unif.z
    ; pass.mov pass[-2]

    # 11: all six units work. vPosition3.y, .z; d.x; the pass and complex units pass lightSource.y,
    # .z to 12, which loads another row; acc1 adds up vEyeNormal.z.
    load.unif lightSource; load.reg1 REG_NORMAL_Z
    ; mul0.mul acc0[-1], pass[-1]; mul1.mul acc1[-1], pass[-1]
    ; acc0.add unif.x, -mul0[-1]; acc1.add reg1.x, mul1[-1]
    ; pass.mov unif.y; complex.mov unif.z
    ; store0.reg REG_D, acc0, _

    # 12: d.y, d.z; the square of d.x
    load.attr in_normal; load.unif normal + 2
    ; acc0.add pass[-1], -mul0[-1]; acc1.add complex[-1], -mul1[-1]; store1.reg REG_D, acc0, acc1
    ; mul0.mul acc0[-1], acc0[-1]; mul1.mul attr.z, unif.z

    # 13: the other squares; vEyeNormal.z is complete
    mul0.mul acc0[-1], acc0[-1]; mul1.mul acc1[-1], acc1[-1]
    ; acc1.add acc1[-2], mul1[-1]; store0.reg REG_D, _, acc1

    # 14: dot(d, d) is added up; vEyeNormal.x (mul0) and .y (mul1) begin
    load.attr in_normal; load.unif normal + 0
    ; mul0.mul attr.x, unif.x; mul1.mul attr.x, unif.y
    ; acc0.add mul0[-2], mul0[-1]

    load.attr in_normal; load.unif normal + 1
    ; mul0.mul attr.y, unif.x; mul1.mul attr.y, unif.y
    ; acc0.add acc0[-1], mul1[-2]

    # 16: the inverse root of dot(d, d). Since mul1 alone is free, the third products of vEyeNormal.x and .y are made one after
    # the other: here on mul1, in 18 on mul0.
    load.attr in_normal; load.unif normal + 2
    ; complex.rsqrt acc0[-1]; mul0.complex2 acc0[-1], acc0[-1]
    ; mul1.mul attr.z, unif.x
    ; acc0.add mul0[-2], mul0[-1]; acc1.add mul1[-2], mul1[-1]

    mul0.complex1 complex[-1], mul0[-1], complex[-1], acc0[-2]
    ; acc0.add acc0[-1], mul1[-1]; acc1.mov acc1[-1]

    # 18: vEyeNormal.x is complete, and multiplied by d.x
    load.attr in_normal; load.unif normal + 2; load.reg1 REG_D
    ; mul0.mul attr.z, unif.y; mul1.mul acc0[-1], reg1.x

    # 19: vEyeNormal.y is complete; the pass unit keeps the inverse root. clip.w (mul0) and clip.x (mul1) begin.
    load.attr in_position; load.unif clip + 0
    ; mul0.mul attr.x, unif.w; mul1.mul attr.x, unif.x; store0.reg REG_CLIP_WX, mul0, mul1
    ; acc0.add acc1[-2], mul0[-1]
    ; pass.mov mul0[-2]

    load.reg1 REG_D
    ; mul0.mul acc0[-1], reg1.z; mul1.mul reg1.y, reg1.w
    ; acc0.mov mul1[-2]

    load.attr in_position; load.unif clip + 1
    ; mul0.mul attr.y, unif.w; mul1.mul attr.y, unif.x
    ; acc0.add acc0[-1], mul0[-1]
    ; pass.mov pass[-2]

    # 22: dot(vEyeNormal, d) is complete (acc0). acc1 adds up clip.w.
    load.attr in_position; load.unif clip + 2; load.reg1 REG_CLIP_WX
    ; mul0.mul attr.z, unif.w; mul1.mul attr.z, unif.x
    ; acc0.add acc0[-1], mul1[-2]; acc1.add reg1.x, mul0[-1]

    # 23: times the inverse root. acc0 adds up clip.x. One product of clip.y fits here.
    load.attr in_position; load.unif clip + 1; load.reg1 REG_CLIP_WX
    ; mul0.mul acc0[-1], pass[-2]; mul1.mul attr.y, unif.y; store0.reg REG_CLIP_Y, mul1, _
    ; acc0.add reg1.y, mul1[-2]; acc1.add acc1[-1], mul0[-1]

    # 24: diff. Both accumulators share one operation, so clip.x and clip.w wait; the pass unit
    # keeps a product. As the second operand of an accumulator, "ident" is 0.
    load.attr in_position; load.unif clip + 3
    ; mul0.mul attr.w, unif.w; mul1.mul attr.w, unif.x
    ; acc0.max mul0[-1], ident
    ; pass.mov mul1[-2]

    # 25: clip.w is complete; red and green are stored; scale.x is kept for 28
    load.attr in_color; load.unif scale
    ; mul0.mul attr.x, acc0[-1]; mul1.mul attr.y, acc0[-1]; store0.varying vVaryingColor, mul0, mul1
    ; acc0.add acc0[-2], pass[-1]; acc1.add acc1[-2], mul0[-1]
    ; pass.mov unif.x; store1.reg REG_SCALE_X, pass, _

    # 26: 1/clip.w; clip.x is complete; blue and alpha are stored
    load.unif limits
    ; complex.rcp acc1[-1]; mul0.complex2 acc1[-1], acc1[-1]
    ; mul1.mul attr[-1].z, acc0[-2]; pass.mov unif.z; store1.varying vVaryingColor, mul1, pass
    ; acc0.add acc0[-1], mul1[-2]

    # 27: the accumulators fetch the factors of 29, which loads the row of the limits
    load.unif clip + 0
    ; mul0.complex1 complex[-1], mul0[-1], complex[-1], acc1[-2]
    ; acc0.mov unif.y; acc1.mov unif.z

    # 28: clip.x * scale.x; clip.y and clip.z begin
    load.attr in_position; load.unif clip + 1; load.reg1 REG_SCALE_X
    ; mul0.mul acc0[-2], reg1.z; mul1.mul attr.y, unif.z; store0.reg REG_CLIP_X, mul0, _

    # 29: 1/clip.w is clamped to its limits and stored
    load.attr in_position; load.unif limits
    ; pass.clamp mul0[-2]; store1.varying gl_Position, _, pass
    ; mul0.mul attr.x, acc0[-2]; mul1.mul attr.x, acc1[-2]

    load.attr in_position; load.unif clip + 2; load.reg1 REG_CLIP_Y
    ; mul0.mul attr.z, unif.y; mul1.mul attr.z, unif.z
    ; acc0.add reg1.x, mul0[-1]; acc1.add mul1[-2], mul1[-1]

    load.attr in_position; load.unif clip + 3
    ; mul0.mul attr.w, unif.y; mul1.mul attr.w, unif.z
    ; acc0.add acc0[-1], mul0[-1]; acc1.add acc1[-1], mul1[-1]
    ; pass.mov pass[-2]

    # 32: clip.y and clip.z are complete
    load.reg1 REG_CLIP_X
    ; mul0.mul reg1.x, pass[-1]
    ; acc0.add acc0[-1], mul0[-1]; acc1.add acc1[-1], mul1[-1]

    load.unif scale
    ; mul0.mul acc0[-1], unif.y; mul1.mul acc1[-1], unif.z
    ; pass.mov pass[-2]

    load.unif offset
    ; mul0.mul mul0[-1], pass[-1]; mul1.mul mul1[-1], pass[-1]
    ; acc0.add mul0[-2], unif.x; store0.varying gl_Position, acc0, _

    load.unif offset
    ; acc0.add mul0[-1], unif.y; store0.varying gl_Position, _, acc0
    ; acc1.add mul1[-1], unif.z; store1.varying gl_Position, acc1, _
