# SPDX-License-Identifier: MIT
# Never ends.
.include "vc4.qinc"

:again
brr -, :again
nop
nop
nop
