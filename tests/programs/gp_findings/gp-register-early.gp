# SPDX-License-Identifier: MIT
# The store becomes visible one instruction later.
.varying out, 0, 1
.constant numbers, 1, 2

    load.unif numbers; acc0.mov unif.x; store0.reg 0, acc0, _
    nop
    nop
    load.unif numbers; acc0.mov unif.y; store0.reg 0, acc0, _
    nop
    load.reg0 0; acc0.mov reg0.x; store0.varying out, acc0, _
