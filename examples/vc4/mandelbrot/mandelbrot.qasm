# SPDX-License-Identifier: MIT
# The Mandelbrot set, computed by all 12 QPUs: QPU n computes the rows n, n + 12, n + 24, ... of a picture of 320x240 pixels.
# A QPU processes 16 adjacent pixels, each of which counts its own steps of z = z * z + c until |z| >= 2, 48 at most.
#
# Four vectors of 16 pixels are collected in rows of the VPM; then a DMA store writes them to memory while the next ones are
# computed. The DMA engine is shared, so a QPU acquires the mutex before it uses the engine.
#
# Source: manual section 3 (conditions, mutex) and section 7 (VPM and DMA).

.include <vc4.qinc>

.set WIDTH, 320
.set HEIGHT, 240
.set QPUS, 12
.set STEPS, 48
.set BLOCK, 4                   # vectors in a DMA store: 64 pixels

# The part of the plane: the picture's left and upper border, and the size of a pixel.
.set LEFT, -2.25
.set TOP, 1.25
.set PIXEL, 1.0 / 96

.org 0x40000000
# Uniforms: this QPU's number; the address of its first row of pixels; then constants.
program:
    mov ra0, unif               # number, then the row that is computed
    mov rb0, unif               # address of its next pixels
    mov ra5, unif               # the size of a pixel
    mov rb5, unif               # TOP
    mov ra6, unif               # LEFT

    mov r0, ra0
    shl r0, r0, 2               # the first of this QPU's four rows in the VPM
    ldi r1, vpm_setup(0, 1, h32(0))
    add rb1, r0, r1             # setup of VPM writes
    shl r0, r0, 7
    ldi r1, vdw_setup_0(BLOCK, 16, dma_h32(0, 0))
    add rb2, r0, r1             # setup of the DMA store

:row
    itof r0, ra0
    fadd r0, r0, 0.5
    nop;              fmul r0, r0, ra5
    fsub rb4, rb5, r0           # imaginary part of c: TOP - (row + 0.5) * PIXEL
    mov r0, elem_num
    itof r0, r0
    fadd r0, r0, 0.5
    nop;              fmul r0, r0, ra5
    fadd ra4, ra6, r0           # real part: LEFT + (column + 0.5) * PIXEL
    ldi ra3, WIDTH / 16 / BLOCK

:block
    ldi ra2, BLOCK
    mov vw_setup, rb1

:vector
    ldi ra8, STEPS
    mov r0, 0                   # z
    mov r1, 0
    mov ra1, 0                  # the count of each pixel
    # A pixel that has escaped continues, possibly to infinity, but is not counted any more.
:step
    nop;              fmul r2, r0, r0
    nop;              fmul r3, r1, r1
    fsub r0, r2, r3;  fmul r1, r0, r1
    fadd r2, r2, r3                     # |z| squared
    fsub.setf -, r2, 4.0
    add.ifn ra1, ra1, 1                 # for each element where |z| < 2
    sub.setf ra8, ra8, 1
    brr.anynz -, :step
    fadd r0, r0, ra4                    # real part of z * z, plus that of c
    fadd r1, r1, r1
    fadd r1, r1, rb4                    # and the imaginary parts

    # Red is twice the count, green four times, blue eight times, each at most 255. Pixels that never escape are black.
    ldi r0, 0x010101
    nop;              mul24 r0, r0, ra1
    v8adds r1, r0, r0
    v8adds r2, r1, r1
    v8adds r3, r2, r2
    ldi r0, 0x0000ff
    and r1, r1, r0
    ldi r0, 0x00ff00
    and r2, r2, r0
    or r1, r1, r2
    ldi r0, 0xff0000
    and r3, r3, r0
    or r1, r1, r3
    ldi r0, STEPS
    sub.setf -, ra1, r0
    mov.ifz r1, 0
    mov vpm, r1

    # 16 pixels to the right.
    mov r0, ra5
    nop;              fmul r0, r0, 16.0
    sub.setf ra2, ra2, 1
    brr.anynz -, :vector
    fadd ra4, ra4, r0
    nop
    nop

    # Four rows of the VPM become 64 pixels in a row. The rows are free again when the store is done.
    mov -, mutex_acq
    mov vw_setup, rb2
    ldi vw_setup, vdw_setup_1(0)
    mov vw_addr, rb0
    mov -, vw_wait
    mov mutex_rel, 0
    ldi r0, BLOCK * 16 * 4
    sub.setf ra3, ra3, 1
    brr.anynz -, :block
    add rb0, rb0, r0
    nop
    nop

    # This QPU's next row.
    ldi r0, (QPUS - 1) * WIDTH * 4
    add rb0, rb0, r0
    ldi r1, QPUS
    add ra0, ra0, r1
    ldi r1, HEIGHT
    sub.setf -, ra0, r1
    brr.anyn -, :row
    nop
    nop
    nop

    nop; nop; thrend
    nop
    nop

uniforms:
.rep qpu, QPUS
    .int qpu, framebuffer + qpu * WIDTH * 4
    .float PIXEL, TOP, LEFT
.endr

.org 0x40100000
framebuffer:
    .space WIDTH * HEIGHT * 4

.scene qpu program uniforms 5
.scene qpu program uniforms+20 5
.scene qpu program uniforms+40 5
.scene qpu program uniforms+60 5
.scene qpu program uniforms+80 5
.scene qpu program uniforms+100 5
.scene qpu program uniforms+120 5
.scene qpu program uniforms+140 5
.scene qpu program uniforms+160 5
.scene qpu program uniforms+180 5
.scene qpu program uniforms+200 5
.scene qpu program uniforms+220 5
.scene image framebuffer 320 240 rgbx8888 raster mandelbrot.png
