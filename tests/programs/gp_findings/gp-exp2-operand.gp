# SPDX-License-Identifier: MIT
# The operand of exp2 is not a result of pass.preexp2.
.varying out, 0, 1
.constant one, 1

    load.unif one; complex.exp2 unif.x; mul0.complex2 unif.x, unif.x; mul1.mov unif.x
    mul0.complex1 complex[-1], mul0[-1], complex[-1], mul1[-1]
    nop
    acc0.mov mul0[-2]; store0.varying out, acc0, _
