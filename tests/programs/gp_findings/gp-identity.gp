# SPDX-License-Identifier: MIT
# Source code 22 is complex[-1] as first operand, but 0 as second operand.
.varying out, 0, 1
.constant one, 1

    load.unif one; complex.mov unif.x
    load.unif one; acc0.add unif.x, ident; store0.varying out, acc0, _
