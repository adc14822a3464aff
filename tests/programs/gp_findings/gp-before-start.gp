# SPDX-License-Identifier: MIT
# acc0[-1] names an instruction before the start of the program.
.varying out, 0, 1

    acc0.mov acc0[-1]; store0.varying out, acc0, _
