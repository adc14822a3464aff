# SPDX-License-Identifier: MIT
# The new value of address register 1 takes effect one instruction later.
.varying out, 0, 1
.constant numbers, 1, 0
.constant more, 2

    load.unif numbers; complex.addr1 unif.y
    nop
    nop
    nop
    load.unif numbers; complex.addr1 unif.x
    nop
    nop
    load.unif numbers, addr1; acc0.mov unif.x; store0.varying out, acc0, _
