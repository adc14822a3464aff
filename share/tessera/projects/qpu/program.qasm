# program.qasm - a user program of a QPU: it works on 16 numbers at once, and stores them in memory.
.include <vc4.qinc>

.set ROWS, 4

.org 0x40000000
program:
    ldi vw_setup, vpm_setup(ROWS, 1, h32(0))    # rows of 16 words go to the VPM, from row 0 on
    mov r0, elem_num                            # 0, 1, 2 ... 15
    mul24 r0, r0, r0
    ldi r1, ROWS
row:
    sub.setf r1, r1, 1
    brr.anynz -, :row
    mov vpm, r0                                 # the three instructions behind a branch
    add r0, r0, 1                               # are executed in any case
    nop
    ldi vw_setup, vdw_setup_0(ROWS, 16, dma_h32(0, 0))
    ldi vw_setup, vdw_setup_1(0)                # no gaps between the rows in memory
    mov vw_addr, unif                           # go
    mov -, vw_wait                              # until all is stored
    mov irq, 1
    nop; nop; thrend
    nop
    nop

uniforms:
    .int result
.align 64
result:
    .space ROWS * 16 * 4

# What "tessera run" does: run the program on one QPU, with one uniform, and write its results.
.scene qpu program uniforms 1
.scene dump result 64 u32 result.csv
