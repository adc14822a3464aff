# SPDX-License-Identifier: MIT
# A DMA store reads row 64 of the VPM. Setups can select this row, since the VPM has 192, but user programs can use only 64.
.include <vc4.qinc>

.org 0x40000000
# tessera: kind user
program:
    ldi vw_setup, vpm_setup(0, 1, h32(0))
    mov vpm, elem_num
    ldi vw_setup, vdw_setup_0(1, 16, dma_h32(64, 0))
    mov vw_addr, unif
    read vw_wait
    nop; nop; thrend
    nop
    nop

.org 0x40001000
uniforms:
    .word result
result:
    .space 64

.scene qpu program uniforms 1
.scene dump result 16 u32 out.csv
