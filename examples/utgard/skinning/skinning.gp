# SPDX-License-Identifier: MIT
# Skinning: each vertex follows two bones. Their matrices are rows of uniforms, addressed through address registers.
#
#     uniform vec4 palette[3 * BONES];        // for each bone the three rows of its matrix
#     attribute vec3 position;
#     attribute vec4 bones;                   // two numbers, two weights
#     attribute vec3 colour;
#     varying vec3 v_colour;
#     void main()
#     {
#         vec4 p = vec4(position, 1.0);
#         int a = 3 * int(bones.x), b = 3 * int(bones.y);
#         vec3 at_a = vec3(dot(palette[a], p), dot(palette[a + 1], p), dot(palette[a + 2], p));
#         vec3 at_b = vec3(dot(palette[b], p), dot(palette[b + 1], p), dot(palette[b + 2], p));
#         gl_Position = vec4(at_a * bones.z + at_b * bones.w, 1.0);
#         v_colour = colour;
#     }
#
# An address register can be used four instructions after it was set; the colour is stored meanwhile. From 5 on,
# each row of a matrix has two instructions, and four rows are in progress at once:
#
#     mul0, mul1    the three products of this row (that with 1.0 is left out), then the last but one row times its weight
#     acc0          the sum of the three products
#     acc1          plus w of the row; then the sum of both bones
#
# 23 instructions.

.set BONES, 4

.attribute position, 0, 3
.attribute bones, 1
.attribute colour, 2, 3
.varying gl_Position, 0
.varying v_colour, 1, 3
.uniform palette, 3 * BONES
.uniform gl_mali_ViewportTransform, 2       # scale, offset
.constant numbers, 3.0, 1.0

.set scale, gl_mali_ViewportTransform
.set offset, gl_mali_ViewportTransform + 1

.set REG_WEIGHTS, 0     # x, y
.set REG_X, 1           # x: position.x of both bones

main:
    load.attr bones; load.unif numbers
    ; mul0.mul attr.x, unif.x; mul1.mul attr.y, unif.x
    ; acc0.mov attr.z; acc1.mov attr.w; store0.reg REG_WEIGHTS, acc0, acc1
    ; pass.mov unif.y; store1.varying gl_Position, _, pass

    complex.addr1 mul0[-1]

    complex.addr2 mul1[-2]

    load.attr colour
    ; acc0.mov attr.x; acc1.mov attr.y; store0.varying v_colour, acc0, acc1
    ; mul0.mov attr.z; store1.varying v_colour, mul0, _

    nop

    # 5: x by the first bone
    load.attr position; load.unif palette + 0, addr1
    ; mul0.mul attr.x, unif.x; mul1.mul attr.y, unif.y

    load.attr position; load.unif palette + 0, addr1
    ; mul0.mul attr.z, unif.z; pass.mov unif.w
    ; acc0.add mul0[-1], mul1[-1]

    # 7: x by the second bone
    load.attr position; load.unif palette + 0, addr2
    ; mul0.mul attr.x, unif.x; mul1.mul attr.y, unif.y
    ; acc0.add acc0[-1], mul0[-1]

    load.attr position; load.unif palette + 0, addr2
    ; mul0.mul attr.z, unif.z; pass.mov unif.w
    ; acc0.add mul0[-1], mul1[-1]; acc1.add acc0[-1], pass[-2]

    # 9: y by the first bone
    load.attr position; load.unif palette + 1, addr1
    ; mul0.mul attr.x, unif.x; mul1.mul attr.y, unif.y
    ; acc0.add acc0[-1], mul0[-1]

    # 10: from here on, weights
    load.attr position; load.unif palette + 1, addr1; load.reg1 REG_WEIGHTS
    ; mul0.mul attr.z, unif.z; mul1.mul acc1[-2], reg1.x; pass.mov unif.w
    ; acc0.add mul0[-1], mul1[-1]; acc1.add acc0[-1], pass[-2]

    # 11: y by the second bone; acc1 keeps weighted x of the first one
    load.attr position; load.unif palette + 1, addr2
    ; mul0.mul attr.x, unif.x; mul1.mul attr.y, unif.y
    ; acc0.add acc0[-1], mul0[-1]; acc1.mov mul1[-1]

    load.attr position; load.unif palette + 1, addr2; load.reg1 REG_WEIGHTS
    ; mul0.mul attr.z, unif.z; mul1.mul acc1[-2], reg1.y; pass.mov unif.w
    ; acc0.add mul0[-1], mul1[-1]; acc1.add acc0[-1], pass[-2]

    # 13: z by the first bone; x of both
    load.attr position; load.unif palette + 2, addr1
    ; mul0.mul attr.x, unif.x; mul1.mul attr.y, unif.y
    ; acc0.add acc0[-1], mul0[-1]; acc1.add acc1[-2], mul1[-1]; store0.reg REG_X, acc1, _

    load.attr position; load.unif palette + 2, addr1; load.reg1 REG_WEIGHTS
    ; mul0.mul attr.z, unif.z; mul1.mul acc1[-2], reg1.x; pass.mov unif.w
    ; acc0.add mul0[-1], mul1[-1]; acc1.add acc0[-1], pass[-2]

    # 15: z by the second bone
    load.attr position; load.unif palette + 2, addr2
    ; mul0.mul attr.x, unif.x; mul1.mul attr.y, unif.y
    ; acc0.add acc0[-1], mul0[-1]; acc1.mov mul1[-1]

    load.attr position; load.unif palette + 2, addr2; load.reg1 REG_WEIGHTS
    ; mul0.mul attr.z, unif.z; mul1.mul acc1[-2], reg1.y; pass.mov unif.w
    ; acc0.add mul0[-1], mul1[-1]; acc1.add acc0[-1], pass[-2]

    # 17: y of both; weighted z of the first bone
    load.reg1 REG_WEIGHTS
    ; mul1.mul acc1[-1], reg1.x
    ; acc0.add acc0[-1], mul0[-1]; acc1.add acc1[-2], mul1[-1]

    # 18: z by the second bone is complete; x and y are scaled; acc0 keeps weighted z of the first one
    load.unif scale; load.reg1 REG_X
    ; mul0.mul reg1.x, unif.x; mul1.mul acc1[-1], unif.y
    ; acc0.mov mul1[-1]; acc1.add acc0[-1], pass[-2]

    load.unif offset; load.reg1 REG_WEIGHTS
    ; acc0.add mul0[-1], unif.x; acc1.add mul1[-1], unif.y; store0.varying gl_Position, acc0, acc1
    ; mul0.mul acc1[-1], reg1.y

    acc0.add acc0[-2], mul0[-1]

    load.unif scale
    ; mul0.mul acc0[-1], unif.z

    load.unif offset
    ; acc0.add mul0[-1], unif.z; store1.varying gl_Position, acc0, _
