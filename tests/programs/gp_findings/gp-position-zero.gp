# SPDX-License-Identifier: MIT
# w of the position, which contains 1/w, is 0.
.varying gl_Position, 0
.constant numbers, 1, 0

    load.unif numbers; acc0.mov unif.x; acc1.mov unif.y; store0.varying gl_Position, acc0, acc0; store1.varying gl_Position, acc0, acc1
