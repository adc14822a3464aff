# SPDX-License-Identifier: MIT
# Register 3 is not stored.
.varying out, 0, 1

    load.reg0 3; acc0.mov reg0.y; store0.varying out, acc0, _
