# SPDX-License-Identifier: MIT
# The run has no data for the attribute.
.varying out, 0, 1

    load.attr 0; acc0.mov attr.x; store0.varying out, acc0, _
