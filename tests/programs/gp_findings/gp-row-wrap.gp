# SPDX-License-Identifier: MIT
# The sum of row and address register is 512, but the last row is 511.
.varying out, 0, 1
.constant numbers, 512

    load.unif numbers; complex.addr1 unif.x
    nop
    nop
    nop
    load.unif numbers, addr1; acc0.mov unif.x; store0.varying out, acc0, _
