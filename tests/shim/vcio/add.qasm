# SPDX-License-Identifier: MIT
# Writes uniform 0 + element number to the 16 words at the address in uniform 1. Writes uniform 2 to the host interrupt
# register.
.include "vc4.qinc"

mov r0, unif
add r0, r0, elem_num
mov vw_setup, vpm_setup(1, 1, h32(0))
mov vpm, r0
mov vw_setup, vdw_setup_0(1, 16, dma_h32(0, 0))
mov vw_addr, unif
mov -, vw_wait
mov r0, unif
mov interrupt, r0
nop; thrend
nop
nop
