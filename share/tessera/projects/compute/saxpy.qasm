# y = a * x + y, by one QPU, 16 elements at a time.
.include <vc4.qinc>

# Uniforms: how many vectors of 16 elements; where x and y are; a.
    mov ra0, unif               # vectors still to do
    mov r0, elem_num            # 0, 1, 2 ... 15
    shl r0, r0, 2               # an element has 4 bytes
    add ra1, r0, unif           # addresses of 16 elements of x
    mov ra2, unif               # address of the same vector of y
    mov ra3, unif               # a
    add ra4, r0, ra2            # addresses of its elements
    ldi rb0, 64                 # bytes of a vector
:vector
    mov t0s, ra1                # both requests are under way ...
    mov t1s, ra4
    nop; nop; ldtmu0            # ... and here the QPU waits: r4 is x
    mov r0, r4; nop; ldtmu1     # r4 is y
    nop; fmul r0, r0, ra3
    fadd r0, r0, r4

    ldi vw_setup, vpm_setup(1, 1, h32(0))               # vectors written go to row 0 of the VPM
    mov vpm, r0
    ldi vw_setup, vdw_setup_0(1, 16, dma_h32(0, 0))     # the DMA shall store one row of 16 words, from row 0
    ldi vw_setup, vdw_setup_1(0)                        # no gaps in memory
    mov vw_addr, ra2                                    # go
    mov -, vw_wait                                      # until it is done

    sub.setf ra0, ra0, 1
    brr.anynz -, :vector
    add ra1, ra1, rb0           # the three instructions behind a branch
    add ra4, ra4, rb0           # are executed in any case
    add ra2, ra2, rb0

    mov irq, 1                  # tells the host
    nop; nop; thrend
    nop
    nop
