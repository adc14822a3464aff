# SPDX-License-Identifier: MIT
# One colour, uniform 0.
    nop
    nop
    nop; sbwait
    mov tlbc, unif
    nop; thrend
    nop
    nop; sbdone
