# SPDX-License-Identifier: MIT
# The buffer of the attribute is too short.
.varying out, 0, 1
.attribute position, 0

    load.attr position; acc0.mov attr.x; store0.varying out, acc0, _
