# SPDX-License-Identifier: MIT
# The loop never ends.
.varying out, 0, 1
.constant one, 1

again:
    load.unif one; pass.mov unif.x; store0.varying out, pass, _
wait:
    load.unif one; pass.mov unif.x; branch wait
