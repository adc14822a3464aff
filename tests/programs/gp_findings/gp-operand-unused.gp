# SPDX-License-Identifier: MIT
# The sum has only one operand.
.varying out, 0, 1
.constant one, 1

    load.unif one; acc0.add unif.x, unused; store0.varying out, acc0, _
