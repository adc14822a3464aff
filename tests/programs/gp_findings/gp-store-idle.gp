# SPDX-License-Identifier: MIT
# Multiplier 1 is idle in this instruction.
.varying out, 0, 1
.constant one, 1

    load.unif one; mul0.mov unif.x; store0.varying out, mul1, _
