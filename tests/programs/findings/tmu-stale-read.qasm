# SPDX-License-Identifier: MIT
.include <vc4.qinc>

.org 0x40000000
# tessera: kind user
program:
    mov ra0, unif
    mov rb0, unif
    mov t0s, ra0                # loads the line into the caches
    nop; nop; ldtmu0
    mov r0, r4
    ldi vw_setup, vpm_setup(0, 1, h32(0))
    mov vpm, elem_num
    ldi vw_setup, vdw_setup_0(1, 16, dma_h32(0, 0))
    mov vw_addr, rb0
    mov -, vw_wait
    mov t0s, ra0                # returns the old words from the cache
    nop; nop; ldtmu0
    mov r0, r4
    nop; nop; thrend
    nop
    nop

.align 64
uniforms:
    .word memory, memory
.align 64
memory:
    .space 256

.scene qpu program uniforms 2
