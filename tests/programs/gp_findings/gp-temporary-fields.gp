# SPDX-License-Identifier: MIT
# Address register 0 selects the row, not the number 5.
.varying out, 0, 1
.constant five, 5

    load.unif five; acc0.mov unif.x; complex.addr0 unif.x; store0.temp acc0, _; field.store0_addr 5
    load.unif five; acc0.mov unif.x; store0.varying out, acc0, _
