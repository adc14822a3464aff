# SPDX-License-Identifier: MIT
# The dot product of two vectors of 4096 floats, by four QPUs. Each QPU processes a quarter, 16 elements at a
# time: texture unit 0 fetches from a, unit 1 from b, and each element of the QPU adds up its own products.
# Rotations add these 16 sums to one, which goes to the VPM. The first QPU waits until the others have released
# a semaphore, adds the four sums, and stores the result.
#
# The values are small integers, so that every order of additions gives the same, exact sum: 404894.
#
# Source: manual section 3 (semaphores, rotations), section 4 (general memory lookups), section 7 (VPM and DMA).

.include <vc4.qinc>

.set LENGTH, 4096
.set QPUS, 4
.set PART, LENGTH / QPUS        # elements per QPU

.org 0x40000000
# Uniforms: addresses of this QPU's parts of a and b; its number; address of the result, or 0.
program:
    mov r0, elem_num
    shl r0, r0, 2               # a lookup is 16 addresses of words
    add r1, r0, unif
    add r2, r0, unif
    ldi ra0, PART / 16          # number of vectors
    ldi rb0, 16 * 4             # bytes from one to the next
    mov r3, 0                   # the sum
:loop
    mov t0s, r1                 # two requests, which the units process in parallel
    mov t1s, r2
    sub.setf ra0, ra0, 1
    add r1, r1, rb0
    add r2, r2, rb0;  nop;  ldtmu0      # r4: 16 elements of a
    mov r0, r4;       nop;  ldtmu1      # r4: 16 elements of b
    brr.anynz -, :loop
    nop;              fmul r0, r0, r4
    fadd r3, r3, r0             # the three instructions after a branch are always executed
    nop

    # Adds 16 sums to one: each element adds the element 8 positions away, then 4, 2 and 1. An
    # accumulator must not be rotated by the instruction after the one that wrote it.
.foreach distance, 8, 4, 2, 1
    nop
    mov r0, r3 << distance
    fadd r3, r3, r0
.endfor

    ldi r0, vpm_setup(0, 1, h32(0))
    add vw_setup, r0, unif      # row 0, 1, 2 or 3
    mov vpm, r3
    mov.setf ra1, unif          # address of the result
    brr.allz -, r:others
    nop
    nop
    nop

    # The first QPU. Each acquire waits until the semaphore is above 0, and decrements it.
.rep other, QPUS - 1
    sacq -, 0
.endr
    ldi vr_setup, vpm_setup(QPUS, 1, h32(0))
    nop                         # rows arrive three instructions later
    nop
    nop
    mov r0, vpm
.rep other, QPUS - 1
    fadd r0, r0, vpm
.endr
    ldi vw_setup, vpm_setup(0, 1, h32(QPUS))
    mov vpm, r0
    ldi vw_setup, vdw_setup_0(1, 1, dma_h32(QPUS, 0))   # one row of one word
    mov vw_addr, ra1
    mov -, vw_wait
    mov irq, 1                  # interrupts the host
    nop; nop; thrend
    nop
    nop

:others
    srel -, 0                   # "my sum is in the VPM"
    nop; nop; thrend
    nop
    nop

uniforms:
.rep qpu, QPUS
    .int a + qpu * PART * 4, b + qpu * PART * 4, qpu, qpu == 0 ? result : 0
.endr

.align 64
a:
.rep i, LENGTH
    .float i % 23
.endr
b:
.rep i, LENGTH
    .float i % 19
.endr
result:
    .float 0

# Up to 16 consecutive programs are queued together, and run in parallel.
.scene qpu program uniforms 4
.scene qpu program uniforms+16 4
.scene qpu program uniforms+32 4
.scene qpu program uniforms+48 4
.scene dump result 1 f32 compute-dot-product.csv
