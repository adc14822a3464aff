# SPDX-License-Identifier: MIT
# The pass unit compares with bounds; a branch wants a plain move.
.varying out, 0, 1
.constant bounds, 0, 1

    load.unif bounds; pass.clamp unif.x; acc0.mov unif.x; store0.varying out, acc0, _; branch end
end:
    nop
