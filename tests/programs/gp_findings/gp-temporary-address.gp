# SPDX-License-Identifier: MIT
# Address register 0 is not set.
.varying out, 0, 1
.constant one, 1

    load.unif one; acc0.mov unif.x; store0.varying out, acc0, _
    load.unif one; acc0.mov unif.x; store0.temp acc0, _
