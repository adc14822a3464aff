# SPDX-License-Identifier: MIT
# src(22) is 0 as second operand, though complex[-1] has the same code.
.varying out, 0, 1
.constant one, 1

    load.unif one; complex.mov unif.x
    load.unif one; acc0.add unif.x, ident; store0.varying out, acc0, _
