# SPDX-License-Identifier: MIT
# Counts the steps of z = z * z + c for which each pixel's |z| stays below 2. QPU n of Q computes the rows n, n
# + Q, n + 2 Q ... of the picture, so that all have some of the costly rows. A QPU processes 16 adjacent
# pixels, each with its own count, and the loop ends when no pixel counts any more.
#
# Four vectors of 16 pixels are collected in rows of the VPM, then a DMA store writes them to memory.
#
# The host checks each count, so the order of operations matters: mandelbrot.c executes the same operations.
#
# Source: VideoCore IV 3D Architecture Reference Guide, section 3 (conditions, flags), section 7 (VPM and DMA).

.include <vc4.qinc>
.include "../host/several.qinc"

.set VECTORS, 4                 # in a block: 64 pixels

# Uniforms: this QPU's number; number of QPUs; number of its rows; blocks in a row; address of its first row; bytes from the end of one of
# its rows to the start of the next; largest number of steps; then floats: left and upper border of the picture, and the size of a pixel.
.set ra_row, ra0                # this QPU's number at first
.set rb_count, rb0
.set ra_rows, ra1               # left to process
.set rb_blocks, rb1
.set ra_out, ra2
.set rb_skip, rb2
.set rb_steps, rb3
.set rb_left, rb4
.set rb_top, rb5
.set ra_size, ra3
.set ra_vpm, ra4                # setup words
.set rb_store, rb6
.set ra_number, ra5
.set ra_column, ra6             # of each element
.set ra_block, ra7              # left in this row
.set rb_imaginary, rb7          # c
.set ra_real, ra8
.set ra_steps, ra9              # counted

program:
    mov ra_row, unif
    mov rb_count, unif
    mov ra_number, ra_row
    mov ra_rows, unif
    mov rb_blocks, unif
    mov ra_out, unif
    mov rb_skip, unif
    mov rb_steps, unif
    mov rb_left, unif
    mov rb_top, unif
    mov ra_size, unif

    shl r0, ra_number, 2        # this QPU's rows of the VPM
    ldi r1, vpm_setup(0, 1, h32(0))
    add ra_vpm, r0, r1
    shl r0, r0, 7
    ldi r1, vdw_setup_0(VECTORS, 16, dma_h32(0, 0))
    add rb_store, r0, r1

:row
    itof r0, ra_row
    fadd r0, r0, 0.5
    nop;                      fmul r0, r0, ra_size
    fsub rb_imaginary, rb_top, r0       # top - (row + 0.5) * size
    mov ra_column, elem_num
    mov ra_block, rb_blocks

:block
    mov vw_setup, ra_vpm
.rep vector, VECTORS
    itof r0, ra_column
    fadd r0, r0, 0.5
    nop;                      fmul r0, r0, ra_size
    fadd ra_real, rb_left, r0           # left + (column + 0.5) * size
    mov r0, 0                           # z
    mov r1, 0
    mov ra_steps, 0
    mov r2, 0                           # the squares of its parts
    mov r3, 0

    # Flag N marks the elements that count. An element that has escaped continues, possibly to infinity, but never counts again.
:.step
    fsub r0, r2, r3;          fmul r1, r0, r1
    fadd r2, r2, r3
    fsub.setf -, r2, 4.0                # N: |z| < 2
    add.ifn ra_steps, ra_steps, 1
    fadd r0, r0, ra_real                # the new real part
    sub.setf.ifn -, ra_steps, rb_steps  # keeps N if there are steps left
    brr.anyn -, :.step
    fadd r1, r1, r1;          fmul r2, r0, r0
    fadd r1, r1, rb_imaginary           # the new imaginary part
    nop;                      fmul r3, r1, r1

    ldi r0, 16
    add ra_column, ra_column, r0
    mov vpm, ra_steps
.endr

    # All QPUs share one DMA engine. The QPU that holds the mutex may use it.
    mov -, mutex_acq
    mov vw_setup, rb_store
    ldi vw_setup, vdw_setup_1(0)        # no gaps between rows in memory
    mov vw_addr, ra_out
    mov -, vw_wait
    mov mutex_rel, 0

    ldi r0, VECTORS * 16 * 4
    sub.setf ra_block, ra_block, 1
    brr.anynz -, :block
    add ra_out, ra_out, r0
    nop
    nop

    sub.setf ra_rows, ra_rows, 1
    brr.anynz -, :row
    add ra_row, ra_row, rb_count        # this QPU's next row
    add ra_out, ra_out, rb_skip
    nop

    finish ra_number, rb_count
