# SPDX-License-Identifier: MIT
# Nobody knows source 5 of a store.
.varying out, 0, 1

    store0.varying out, src(5), _
