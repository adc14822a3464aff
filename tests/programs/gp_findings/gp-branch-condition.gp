# SPDX-License-Identifier: MIT
# The pass unit clamps the condition, but a branch needs a move.
.varying out, 0, 1
.constant bounds, 0, 1

    load.unif bounds; pass.clamp unif.x; acc0.mov unif.x; store0.varying out, acc0, _; branch end
end:
    nop
