# SPDX-License-Identifier: MIT
# A fragment shader that writes one colour, uniform 0.
    nop
    nop
    nop; sbwait
    mov tlbc, unif
    nop; thrend
    nop
    nop; sbdone
