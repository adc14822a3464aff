# SPDX-License-Identifier: MIT
# A store in the same instruction is too early for the result of complex1.
.varying out, 0, 1
.constant one, 1

    load.unif one; complex.rcp unif.x; mul0.complex2 unif.x, unif.x; mul1.mov unif.x
    mul0.complex1 complex[-1], mul0[-1], complex[-1], mul1[-1]; store0.varying out, mul0, _
