# SPDX-License-Identifier: MIT
# The complex unit's value is only the first step of the reciprocal.
.varying out, 0, 1
.constant one, 1

    load.unif one; complex.rcp unif.x
    acc0.mov complex[-1]; store0.varying out, acc0, _
