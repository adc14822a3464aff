# SPDX-License-Identifier: MIT
# The first and the third operand come from a move, not from the complex unit.
.varying out, 0, 1
.constant one, 1

    load.unif one; acc0.mov unif.x; mul1.mov unif.x; mul0.mov unif.x
    mul0.complex1 acc0[-1], mul0[-1], acc0[-1], mul1[-1]
    nop
    acc0.mov mul0[-2]; store0.varying out, acc0, _
