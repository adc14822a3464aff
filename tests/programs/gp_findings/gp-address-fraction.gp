# SPDX-License-Identifier: MIT
# 1.5 is not a row number.
.varying out, 0, 1
.constant numbers, 1.5
.constant more, 1

    load.unif numbers; acc0.mov unif.x; complex.addr1 unif.x; store0.varying out, acc0, _
