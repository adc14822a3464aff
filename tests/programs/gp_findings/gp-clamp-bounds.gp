# SPDX-License-Identifier: MIT
# The lower bound, x, is greater than the upper bound, y.
.varying out, 0, 1
.constant bounds, 1, 0

    load.unif bounds; pass.clamp unif.x; store0.varying out, pass, _
