# SPDX-License-Identifier: MIT
# Source 9 is unknown.
.varying out, 0, 1
.constant one, 1

    load.unif one; acc0.add unif.x, src(9); store0.varying out, acc0, _
