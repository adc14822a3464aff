# SPDX-License-Identifier: MIT
# The first value is lost.
.varying out, 0, 1
.constant numbers, 1, 2

    load.unif numbers; acc0.mov unif.x; store0.varying out, acc0, _
    load.unif numbers; acc0.mov unif.y; store0.varying out, acc0, _
