# SPDX-License-Identifier: MIT
# Address register 0 is 0, and row 0 contains the constant.
.varying out, 0, 1
.constant zero, 0, 1
.temporary heap, 1, 1

    load.unif zero; acc0.mov unif.y; store0.varying out, acc0, _
    load.unif zero; acc0.mov unif.y; complex.addr0 unif.x; store0.temp acc0, _
