# SPDX-License-Identifier: MIT
# This 1 is no logarithm.
.varying out, 0, 1
.constant one, 1

    load.unif one; pass.postlog2 unif.x; store0.varying out, pass, _
