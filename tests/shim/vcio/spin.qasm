# SPDX-License-Identifier: MIT
# A program that never ends.
.include "vc4.qinc"

:again
brr -, :again
nop
nop
nop
