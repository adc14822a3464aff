# SPDX-License-Identifier: MIT
# Counts down from uniform 0. Then writes uniform 1 + element number to the 16 words at the address in uniform 2, and
# uniform 3 to the host interrupt register. The mutex lets only one QPU at a time use the VPM.
.include "vc4.qinc"

mov r1, unif
:again
sub.setf r1, r1, 1
brr.anynz -, :again
nop
nop
nop
mov r0, unif
add r0, r0, elem_num
mov -, mutex
mov vw_setup, vpm_setup(1, 1, h32(0))
mov vpm, r0
mov vw_setup, vdw_setup_0(1, 16, dma_h32(0, 0))
mov vw_addr, unif
mov -, vw_wait
mov mutex, 0
mov r0, unif
mov interrupt, r0
nop; thrend
nop
nop
