# SPDX-License-Identifier: MIT
# y of the varying is not stored.
.varying out, 0, 2
.constant one, 1

    load.unif one; acc0.mov unif.x; store0.varying out, acc0, _
