# SPDX-License-Identifier: MIT
# Instruction 7 does not exist.
.varying out, 0, 1
.constant one, 1

    load.unif one; acc0.mov unif.x; store0.varying out, acc0, _
    load.unif one; pass.mov unif.x; branch 0; field.branch_target 7
