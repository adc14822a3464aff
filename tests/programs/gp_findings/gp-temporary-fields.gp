# SPDX-License-Identifier: MIT
# Address register 0 names the row; the number 5 does not.
.varying out, 0, 1
.constant five, 5

    load.unif five; acc0.mov unif.x; complex.addr0 unif.x; store0.temp acc0, _; field.store0_addr 5
    load.unif five; acc0.mov unif.x; store0.varying out, acc0, _
