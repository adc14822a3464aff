# SPDX-License-Identifier: MIT
# sums[i] = values[0] + ... + values[i], of 32-bit integers, in one pass. QPU n of Q processes the blocks n, n + Q, n + 2 Q ... of 256 values.
#
# A block is 16 x 16: element e of the QPU has the 16 values from 16 e on, and adds them up. This takes 16 additions for all elements together.
# Then the elements' totals are added up across the vector, so that each element has the sum of the earlier elements in this block.
#
# The sum of all earlier blocks is the *carry*, which is passed from QPU to QPU. Each QPU waits for its own semaphore, reads the carry from its
# row of the VPM, adds the total of its block, writes the sum to the next QPU's row, and releases the next QPU's semaphore. So the serial part is
# short, and all other work is parallel.
#
# The number of a semaphore is a part of the instruction. So tables contain an instruction for each QPU, and the program branches into the tables.
#
# Source: VideoCore IV 3D Architecture Reference Guide, section 3 (semaphores, branches, rotation), section 7 (VPM and DMA).

.include <vc4.qinc>
.include "../host/several.qinc"

.set QPUS, 12                   # at most
.set ROWS, 16                   # rows of the VPM for a block: the first ones, while its QPU holds the mutex
.set CARRIES, 16                # the row of the first QPU's carry
.set IN_FLIGHT, 4               # requests that a texture unit queues

# Uniforms: this QPU's number; number of QPUs; number of its blocks; number of those whose carry another QPU needs
# (all but the very last block); addresses of its first block in values and sums; bytes from one block to the next.
.set ra_number, ra0
.set rb_count, rb0
.set ra_blocks, ra1             # left to process
.set ra_carries, ra6           # carries left to pass on
.set ra_values, ra2             # of each element
.set ra_sums, ra3
.set rb_step, rb1
.set ra_mine, ra12              # offset of this QPU's instruction in the tables
.set ra_next, ra10              # and of the next QPU's
.set rb_take, rb2               # setup words: for this QPU's carry, for the next QPU's
.set ra_give, ra4
.set rb_word, rb3               # 4
.set ra_before, ra5             # sum of earlier elements
.set rb_total, rb4              # of the block
.set ra_sum, ra16               # and 15 further ones: the sums of each element

program:
    mov ra_number, unif
    mov rb_count, unif
    mov ra_blocks, unif
    mov ra_carries, unif
    shl r0, elem_num, 6         # 16 values of 4 bytes
    add ra_values, r0, unif
    mov ra_sums, unif
    mov rb_step, unif
    mov rb_word, 4

    add r0, ra_number, 1        # the next QPU's number
    sub.setf -, r0, rb_count
    mov.ifz r0, 0
    shl ra_mine, ra_number, 5   # 4 instructions of 8 bytes
    shl ra_next, r0, 5
    ldi r1, vpm_setup(1, 1, h32(CARRIES))
    add rb_take, r1, ra_number
    ldi r1, vpm_setup(0, 1, h32(CARRIES))
    add ra_give, r1, r0

    # No block precedes the first: the first QPU passes a zero to itself.
    mov.setf -, ra_number
    brr.anynz -, :block
    nop
    nop
    nop
    mov vw_setup, r1
    mov vpm, 0
    srel -, 0

:block
    # The values of each element, and their sums.
    mov r0, ra_values
.rep i, IN_FLIGHT
    add r0, r0, rb_word;      mov t0s, r0
.endr
    mov r1, 0
.rep i, 16
    nop;                      nop;             ldtmu0
  .if i + IN_FLIGHT < 16
    add r0, r0, rb_word;      mov t0s, r0
  .endif
    add r1, r1, r4
    mov ra_sum + i, r1
.endr

    # Sums of totals: each element adds the element 1 before it, then 2, 4 and 8, if it exists. r1 is its own total.
    mov r0, r1
.foreach distance, 1, 2, 4, 8
    mov r2, elem_num
    sub.setf -, r2, distance
    mov r2, r0 >> distance
    add.ifnn r0, r0, r2
.endfor
    sub ra_before, r0, r1
    nop
    mov r5rep, r0 << 15         # element 15's sum, for all
    nop
    mov rb_total, r5

    # Waits for the carry, reads it, and passes it on.
    brr -, ra_mine, :acquire
    nop
    nop
    nop
:acquired
    mov vr_setup, rb_take
    mov vw_setup, ra_give
    nop
    nop
    mov r3, vpm
    sub.setf ra_carries, ra_carries, 1
    brr.anyn -, :released       # the very last block
    nop
    nop
    nop
    add vpm, r3, rb_total
    brr -, ra_next, :release
    nop                         # the row is written before the next QPU reads it
    nop
    nop
:released

    # Row i has the i-th sum of each element, so a column contains the sums of one element: the DMA stores columns.
    add r3, r3, ra_before
    mov -, mutex_acq
    ldi vw_setup, vpm_setup(0, 1, h32(0))
.rep i, 16
    add vpm, ra_sum + i, r3
.endr
    ldi vw_setup, vdw_setup_0(16, ROWS, dma_v32(0, 0))
    ldi vw_setup, vdw_setup_1(0)
    mov vw_addr, ra_sums
    mov -, vw_wait
    mov mutex_rel, 0

    sub.setf ra_blocks, ra_blocks, 1
    brr.anynz -, :block
    add ra_values, ra_values, rb_step
    add ra_sums, ra_sums, rb_step
    nop

    finish ra_number, rb_count

:acquire
.rep qpu, QPUS
    brr -, :acquired
    sacq -, qpu                 # the three instructions after a branch are always executed
    nop
    nop
.endr

:release
.rep qpu, QPUS
    brr -, :released
    srel -, qpu
    nop
    nop
.endr
