# SPDX-License-Identifier: MIT
# What select.gp does, with branches. A branch is taken if the pass unit's result in the same instruction is not 0; there is no
# other kind, so the end of the first half branches on a constant 1.0. A program ends behind its last instruction, and a
# branch has to stay inside: the position waits for the end.
#
# 7 instructions, of which 6 are executed for each vertex. That is no gain here, since each half is one instruction. It is one as
# soon as a half has something to compute: select needs both halves, a branch one.

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
    # An attribute's components that are not there are 0, 0, 0, 1.
    load.attr position
    ; acc0.mov attr.x; acc1.mov attr.y; store0.varying gl_Position, acc0, acc1
    ; mul0.mov attr.z; mul1.mov attr.w; store1.varying gl_Position, mul0, mul1
