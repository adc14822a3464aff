# SPDX-License-Identifier: MIT
# The buffer of the varying is too short.
.varying out, 0, 1
.constant one, 1

    load.unif one; acc0.mov unif.x; store0.varying out, acc0, _
