# SPDX-License-Identifier: MIT
.include "../frame.inc"

.macro part_wait                # Wait on Semaphore (record 8) is missing
.endm

frame
