# SPDX-License-Identifier: MIT
# The program of select.gp with branches. A branch is taken if the pass unit's result in the same instruction is
# not 0. There is no unconditional branch, so the end of the first half branches on a constant 1.0. A program
# ends after its last instruction, and the target of a branch must be inside: the position is stored at the end.
#
# 7 instructions; each vertex executes 6 of them. That is no gain here, as each half is one instruction. It is a
# gain if a half computes more: select executes both halves, a branch executes one.

.attribute position, 0, 2
.attribute colour, 1, 3
.varying gl_Position, 0
.varying v_colour, 1, 3
.uniform lamp
.constant numbers, 1.0

main:
    load.attr position
    ; mul0.mul attr.x, attr.x; mul1.mul attr.y, attr.y

    acc0.add mul0[-1], mul1[-1]

    load.unif lamp
    ; acc0.lt acc0[-1], unif.w

    pass.mov acc0[-1]; branch lit

    # 4: outside of the radius
    load.attr colour; load.unif numbers
    ; mul0.mov attr.x; mul1.mov attr.y; store0.varying v_colour, mul0, mul1
    ; acc0.mov attr.z; store1.varying v_colour, acc0, _
    ; pass.mov unif.x; branch done

lit:
    load.unif lamp
    ; mul0.mov unif.x; mul1.mov unif.y; store0.varying v_colour, mul0, mul1
    ; acc0.mov unif.z; store1.varying v_colour, acc0, _

done:
    # Missing components of an attribute are 0, 0, 0, 1.
    load.attr position
    ; acc0.mov attr.x; acc1.mov attr.y; store0.varying gl_Position, acc0, acc1
    ; mul0.mov attr.z; mul1.mov attr.w; store1.varying gl_Position, mul0, mul1
