# SPDX-License-Identifier: MIT
# acc0[-2] is a result from before the branch.
.varying out, 0, 1
.constant one, 1

    load.unif one; acc0.mov unif.x
    load.unif one; pass.mov unif.x; branch there
    nop
there:
    acc0.mov acc0[-2]; store0.varying out, acc0, _
