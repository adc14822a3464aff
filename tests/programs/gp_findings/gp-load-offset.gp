# SPDX-License-Identifier: MIT
# Load offset 4 does not select an address register.
.varying out, 0, 1
.constant one, 1

    load.unif one; acc0.mov unif.x; store0.varying out, acc0, _; field.load_offset 4
