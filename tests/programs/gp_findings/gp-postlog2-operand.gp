# SPDX-License-Identifier: MIT
# The operand of pass.postlog2 is not a result of log2.
.varying out, 0, 1
.constant one, 1

    load.unif one; pass.postlog2 unif.x; store0.varying out, pass, _
