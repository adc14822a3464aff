# SPDX-License-Identifier: MIT
# unknown_1 is 13, but the instruction is not a branch.
.varying out, 0, 1
.constant one, 1

    load.unif one; acc0.mov unif.x; store0.varying out, acc0, _; field.unknown_1 13
