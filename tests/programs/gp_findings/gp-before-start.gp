# SPDX-License-Identifier: MIT
# Nothing has been added yet.
.varying out, 0, 1

    acc0.mov acc0[-1]; store0.varying out, acc0, _
