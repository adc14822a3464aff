# SPDX-License-Identifier: MIT
# Nothing has been stored to register 3.
.varying out, 0, 1

    load.reg0 3; acc0.mov reg0.y; store0.varying out, acc0, _
