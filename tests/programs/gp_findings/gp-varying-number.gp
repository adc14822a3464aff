# SPDX-License-Identifier: MIT
# 1 / 0 is infinite, but a position must be finite.
.varying gl_Position, 0, 1
.constant zero, 0

    load.unif zero; complex.rcp unif.x; mul0.complex2 unif.x, unif.x; mul1.mov unif.x
    mul0.complex1 complex[-1], mul0[-1], complex[-1], mul1[-1]
    nop
    acc0.mov mul0[-2]; store0.varying gl_Position, acc0, _
