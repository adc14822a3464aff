# SPDX-License-Identifier: MIT
# pass.postlog2 must convert the logarithm before a move reads it.
.varying out, 0, 1
.constant one, 1

    load.unif one; complex.log2 unif.x; mul0.complex2 unif.x, unif.x; mul1.mov unif.x
    mul0.complex1 complex[-1], mul0[-1], complex[-1], mul1[-1]
    nop
    acc0.mov mul0[-2]; store0.varying out, acc0, _
