# SPDX-License-Identifier: MIT
# c = a + b. QPU n of Q computes the blocks n, n + Q, n + 2 Q ... of 64 elements.
#
# A block is four vectors of 16. Texture unit 0 fetches from a, unit 1 from b: first all requests, then all results,
# so that the second to fourth arrive during the wait for the first. The sums go to four rows of the VPM that only
# this QPU uses, and a DMA store writes them to c.
#
# Source: VideoCore IV 3D Architecture Reference Guide, section 4 (general memory lookups), section 7 (VPM and DMA).

.include <vc4.qinc>
.include "../host/several.qinc"

.set VECTORS, 4                 # per block; a texture unit queues no more requests
.set VECTOR_BYTES, 16 * 4

# Uniforms: this QPU's number; number of QPUs; number of its blocks, at least 1; addresses of its
# first block in a, b and c; bytes from one block to the next.
.set ra_number, ra0
.set rb_count, rb0
.set ra_blocks, ra1
.set ra_a, ra2
.set ra_b, ra3
.set ra_c, ra4
.set rb_step, rb1
.set ra_vpm, ra5                # setup words
.set rb_store, rb2
.set rb_vector, rb3

program:
    mov ra_number, unif
    mov rb_count, unif
    mov ra_blocks, unif
    mov r0, elem_num
    shl r0, r0, 2               # each element looks up a different word
    add ra_a, r0, unif
    add ra_b, r0, unif
    mov ra_c, unif
    mov rb_step, unif
    ldi rb_vector, VECTOR_BYTES

    shl r0, ra_number, 2        # this QPU's rows of the VPM
    ldi r1, vpm_setup(0, 1, h32(0))
    add ra_vpm, r0, r1
    shl r0, r0, 7
    ldi r1, vdw_setup_0(VECTORS, 16, dma_h32(0, 0))
    add rb_store, r0, r1

:block
    mov r0, ra_a
    mov r1, ra_b
.rep vector, VECTORS
    add r0, r0, rb_vector; mov t0s, r0
    add r1, r1, rb_vector; mov t1s, r1
.endr
    mov vw_setup, ra_vpm
.rep vector, VECTORS
    nop;                   nop;          ldtmu0
    mov r0, r4;            nop;          ldtmu1
    fadd vpm, r0, r4
.endr

    # All QPUs share one DMA engine. The QPU that holds the mutex may use it.
    mov -, mutex_acq
    mov vw_setup, rb_store
    ldi vw_setup, vdw_setup_1(0)        # no gaps between rows in memory
    mov vw_addr, ra_c
    mov -, vw_wait
    mov mutex_rel, 0

    sub.setf ra_blocks, ra_blocks, 1
    brr.anynz -, :block
    add ra_a, ra_a, rb_step
    add ra_b, ra_b, rb_step
    add ra_c, ra_c, rb_step

    finish ra_number, rb_count
