# SPDX-License-Identifier: MIT
# Accumulator 1 is idle in the first instruction.
.varying out, 0, 1
.constant one, 1

    load.unif one; acc0.mov unif.x
    acc0.mov acc1[-1]; store0.varying out, acc0, _
