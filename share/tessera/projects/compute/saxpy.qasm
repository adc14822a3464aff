# saxpy.qasm - computes y = a * x + y on one QPU, 16 elements at a time.
.include <vc4.qinc>

# Uniforms: number of vectors (16 elements each), address of x, address of y, a.
    mov ra0, unif               # vectors left
    mov r0, elem_num            # 0, 1, 2 ... 15
    shl r0, r0, 2               # byte offsets: an element has 4 bytes
    add ra1, r0, unif           # addresses of 16 elements of x
    mov ra2, unif               # address of a vector of y
    mov ra3, unif               # a
    add ra4, r0, ra2            # addresses of 16 elements of y
    ldi rb0, 64                 # bytes of a vector
:vector
    mov t0s, ra1                # request x from TMU 0,
    mov t1s, ra4                # and y from TMU 1
    nop; nop; ldtmu0            # wait for x; ldtmu0 loads it into r4
    mov r0, r4; nop; ldtmu1     # wait for y; ldtmu1 loads it into r4
    nop; fmul r0, r0, ra3
    fadd r0, r0, r4

    ldi vw_setup, vpm_setup(1, 1, h32(0))               # write the next vector to row 0 of the VPM
    mov vpm, r0
    ldi vw_setup, vdw_setup_0(1, 16, dma_h32(0, 0))     # DMA: store 1 row of 16 words, VPM row 0
    ldi vw_setup, vdw_setup_1(0)                        # DMA: no gap between rows in memory
    mov vw_addr, ra2                                    # start the DMA: y is its target
    mov -, vw_wait                                      # wait until the DMA is complete

    sub.setf ra0, ra0, 1
    brr.anynz -, :vector
    add ra1, ra1, rb0           # the three instructions after a branch
    add ra4, ra4, rb0           # are always executed (delay slots)
    add ra2, ra2, rb0

    mov irq, 1                  # interrupts the host
    nop; nop; thrend
    nop
    nop
