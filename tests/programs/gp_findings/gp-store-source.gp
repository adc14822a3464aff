# SPDX-License-Identifier: MIT
# Source 5 of a store is unknown.
.varying out, 0, 1

    store0.varying out, src(5), _
