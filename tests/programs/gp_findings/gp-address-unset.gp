# SPDX-License-Identifier: MIT
# Address register 2 is not set.
.varying out, 0, 1
.constant one, 1

    load.unif one, addr2; acc0.mov unif.x; store0.varying out, acc0, _
