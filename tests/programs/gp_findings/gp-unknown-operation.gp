# SPDX-License-Identifier: MIT
# Operation 3 of the accumulators is unknown.
.varying out, 0, 1
.constant one, 1

    load.unif one; acc0.add unif.x, unif.x; store0.varying out, acc0, _; field.acc_op 3
