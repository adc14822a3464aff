# SPDX-License-Identifier: MIT
# The fourth operand is 2, but the complex unit's operand is 1.
.varying out, 0, 1
.constant numbers, 1, 2

    load.unif numbers; complex.rcp unif.x; mul0.complex2 unif.x, unif.x; mul1.mov unif.y
    mul0.complex1 complex[-1], mul0[-1], complex[-1], mul1[-1]
    nop
    acc0.mov mul0[-2]; store0.varying out, acc0, _
