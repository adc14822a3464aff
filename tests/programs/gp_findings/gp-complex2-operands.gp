# SPDX-License-Identifier: MIT
# The two operands of complex2 differ.
.varying out, 0, 1
.constant numbers, 1, 2

    load.unif numbers; mul0.complex2 unif.x, unif.y; acc0.mov unif.x; store0.varying out, acc0, _
