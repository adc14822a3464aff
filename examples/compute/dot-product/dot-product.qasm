# SPDX-License-Identifier: MIT
# The dot product of a and b. QPU n of Q processes the vectors n, n + Q, n + 2 Q ... of 16 elements. Each
# of its 16 elements adds up separate products. Rotations add these 16 sums to one, which goes to row n
# of the VPM. When all QPUs have finished this, the first QPU adds up the rows, and stores the result.
#
# A texture unit queues four requests, so four vectors are always being fetched: the loop reads the
# result of one vector, and requests the vector four positions later.
#
# Source: VideoCore IV 3D Architecture Reference Guide, section 3 (rotation, semaphores), section 4
#         (general memory lookups), section 7 (VPM and DMA).

.include <vc4.qinc>
.include "../host/several.qinc"

.set IN_FLIGHT, 4

# Uniforms: this QPU's number; number of QPUs; number of its vectors, more than IN_FLIGHT; addresses
# of its first vector in a and b; bytes from one vector to the next; address of the result.
.set ra_number, ra0
.set rb_count, rb0
.set ra_requests, ra1           # requests left for the loop
.set ra_a, ra2
.set ra_b, ra3
.set rb_step, rb1
.set ra_result, ra4
.set r_sum, r3

program:
    mov ra_number, unif
    mov rb_count, unif
    sub ra_requests, unif, IN_FLIGHT
    mov r0, elem_num
    shl r0, r0, 2               # each element looks up a different word
    add ra_a, r0, unif
    add ra_b, r0, unif
    mov rb_step, unif
    mov ra_result, unif
    mov r_sum, 0

.rep vector, IN_FLIGHT
    add ra_a, ra_a, rb_step;  mov t0s, ra_a
    add ra_b, ra_b, rb_step;  mov t1s, ra_b
.endr

:vector
    nop;                      nop;               ldtmu0
    mov r0, r4;               nop;               ldtmu1
    sub.setf ra_requests, ra_requests, 1; fmul r0, r0, r4
    brr.anynz -, :vector
    add ra_a, ra_a, rb_step;  mov t0s, ra_a
    add ra_b, ra_b, rb_step;  mov t1s, ra_b
    fadd r_sum, r_sum, r0

.rep vector, IN_FLIGHT
    nop;                      nop;               ldtmu0
    mov r0, r4;               nop;               ldtmu1
    nop;                      fmul r0, r0, r4
    fadd r_sum, r_sum, r0
.endr

    # Adds 16 sums to one: each element adds the element 8 positions away, then 4, 2 and 1. An
    # accumulator must not be rotated by the instruction after the one that wrote it.
.foreach distance, 8, 4, 2, 1
    nop
    mov r0, r_sum << distance
    fadd r_sum, r_sum, r0
.endfor

    ldi r0, vpm_setup(0, 1, h32(0))
    add vw_setup, r0, ra_number
    mov vpm, r_sum

    meet ra_number, rb_count

    # From here on only the first QPU runs. A row can be read three instructions after the setup.
    ldi r0, vpm_setup(0, 1, h32(0))
    ldi r1, 20                  # position of the number of rows in the setup word
    shl r1, rb_count, r1
    or vr_setup, r0, r1
    mov r2, rb_count
    mov r_sum, 0
    nop
:row
    sub.setf r2, r2, 1
    brr.anynz -, :row
    fadd r_sum, r_sum, vpm
    nop
    nop

    ldi vw_setup, vpm_setup(0, 1, h32(0))
    mov vpm, r_sum
    ldi vw_setup, vdw_setup_0(1, 1, dma_h32(0, 0))      # one row of one word
    mov vw_addr, ra_result
    mov -, vw_wait
    interrupt_and_end
