# SPDX-License-Identifier: MIT
# Row 100 has no value yet.
.varying out, 0, 1

    load.unif 100; acc0.mov unif.x; store0.varying out, acc0, _
