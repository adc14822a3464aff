# SPDX-License-Identifier: MIT
# No instruction stores to register 3.
.varying out, 0, 1

    load.reg0 3; acc0.mov reg0.y; store0.varying out, acc0, _
