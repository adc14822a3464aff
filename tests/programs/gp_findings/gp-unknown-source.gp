# SPDX-License-Identifier: MIT
# Nobody has ever seen source 9.
.varying out, 0, 1
.constant one, 1

    load.unif one; acc0.add unif.x, src(9); store0.varying out, acc0, _
