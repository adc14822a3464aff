# SPDX-License-Identifier: MIT
# The store becomes visible one instruction later.
.varying out, 0, 1
.temporary heap, 1, 4
.constant four, 4

    load.unif four; acc0.mov unif.x; complex.addr0 unif.x; store0.temp acc0, acc0
    nop
    nop
    load.temp heap; acc0.mov temp.x; store0.varying out, acc0, _
