# SPDX-License-Identifier: MIT
# y, z and w of the position are not stored.
.varying gl_Position, 0
.constant one, 1

    load.unif one; acc0.mov unif.x; store0.varying gl_Position, acc0, _
