# SPDX-License-Identifier: MIT
# A Bezier curve of degree 7 by de Casteljau's construction: two loops over an array.
#
#     uniform vec4 points[8];                 // x, y
#     attribute float t;
#     varying vec3 v_colour;
#     void main()
#     {
#         vec2 heap[7];
#         for (int i = 0; i < 7; i++)
#             heap[i] = mix(points[i].xy, points[i + 1].xy, t);
#         for (int steps = 6; steps != 0; steps--)
#             for (int i = 0; i < steps; i++)
#                 heap[i] = mix(heap[i], heap[i + 1], t);
#         gl_Position = vec4(heap[0], 0.0, 1.0);
#         v_colour = vec3(t, 1.0 - t, 1.0);
#     }
#
# An array whose index is computed at run time is in temporaries. Temporaries share the rows with the uniforms, so one
# loop serves both: at first the loop reads "points", later "heap". Address register 1 has the row to read, address
# register 0 the row to store to; both count rows from 0.
#
# Reasons why the loop is short:
# - a taken branch waits until everything on its way has arrived. An address register is set four instructions before a
#   load uses it, or in the instruction that branches back;
# - address register 0 has no such delay: it is set in the instruction that stores.
#
# 13 instructions, which execute as 133: 4 for each step of the loop.

.set POINTS, 8

.attribute t, 0, 1
.varying gl_Position, 0
.varying v_colour, 1, 3
.uniform points, POINTS
.uniform gl_mali_ViewportTransform, 2       # scale, offset
.temporary heap, POINTS - 1
.constant numbers, 1.0, heap, points, POINTS - 1

.set scale, gl_mali_ViewportTransform
.set offset, gl_mali_ViewportTransform + 1

.set REG_STEP, 0        # t, 1 - t, row to store to, steps left on this level
.set REG_LEVEL, 1       # row to read from, steps of this level, 1.0

main:
    # 0: the first level, from "points" to "heap"
    load.attr t; load.unif numbers
    ; mul0.mov attr.x; acc0.add unif.x, -attr.x; store0.reg REG_STEP, mul0, acc0
    ; mul1.mov unif.y; pass.mov unif.w; store1.reg REG_STEP, mul1, pass
    ; complex.addr1 unif.z

    load.unif numbers
    ; mul0.mov unif.z; mul1.mov unif.w; store0.reg REG_LEVEL, mul0, mul1
    ; acc0.mov unif.x; store1.reg REG_LEVEL, acc0, _

    # 2 and 3: the colour, until address register 1 can be used
    load.attr t; load.unif numbers
    ; mul0.mov attr.x; acc0.add unif.x, -attr.x; store0.varying v_colour, mul0, acc0

    load.unif numbers
    ; acc0.mov unif.x; store1.varying v_colour, acc0, _

step:
    # 4: (1 - t) * this point; acc0: row that the next step reads
    load.temp 0, addr1; load.reg0 REG_STEP; load.reg1 REG_LEVEL
    ; mul0.mul unif.x, reg0.y; mul1.mul unif.y, reg0.y
    ; acc0.add reg1.x, reg1.z; store0.reg REG_LEVEL, acc0, _

    # 5: t * the next point; row that the next step stores to, and steps left. pass: row that this step stores to
    load.temp 1, addr1; load.reg0 REG_STEP; load.reg1 REG_LEVEL
    ; mul0.mul unif.x, reg0.x; mul1.mul unif.y, reg0.x
    ; acc0.add reg0.z, reg1.z; acc1.add reg0.w, -reg1.z; store1.reg REG_STEP, acc0, acc1
    ; pass.mov reg0.z

    # 6: the sum is stored. pass: row that the next step reads
    acc0.add mul0[-2], mul0[-1]; acc1.add mul1[-2], mul1[-1]
    ; complex.addr0 pass[-1]; store0.temp acc0, acc1
    ; pass.mov acc0[-2]

    complex.addr1 pass[-1]
    ; pass.mov acc1[-2]; branch step

    # 8: the next level has one step less, and reads and stores "heap".
    load.unif numbers; load.reg1 REG_LEVEL
    ; acc0.add reg1.y, -unif.x; mul0.mov unif.y
    ; store0.reg REG_LEVEL, mul0, acc0; store1.reg REG_STEP, mul0, acc0
    ; complex.addr1 unif.y

    pass.mov acc0[-1]; branch step

    # 10: heap[0]. The last branches were not taken, so there was no wait: heap[0] was stored in 6,
    # four instructions ago, which is just enough.
    load.temp heap; load.reg1 REG_LEVEL
    ; acc0.mov unif.x; acc1.mov unif.y; pass.mov reg1.z

    load.unif scale
    ; mul0.mul acc0[-1], unif.x; mul1.mul acc1[-1], unif.y

    load.unif offset
    ; acc0.add mul0[-1], unif.x; acc1.add mul1[-1], unif.y; store0.varying gl_Position, acc0, acc1
    ; mul0.mov unif.z; mul1.mov pass[-2]; store1.varying gl_Position, mul0, mul1
