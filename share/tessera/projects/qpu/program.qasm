# program.qasm - a QPU user program: computes 4 rows of 16 numbers and stores them in memory.
.include <vc4.qinc>

.set ROWS, 4

.org 0x40000000
program:
    ldi vw_setup, vpm_setup(ROWS, 1, h32(0))    # write rows of 16 words to the VPM, from row 0 on
    mov r0, elem_num                            # 0, 1, 2 ... 15
    mul24 r0, r0, r0
    ldi r1, ROWS
row:
    sub.setf r1, r1, 1
    brr.anynz -, :row
    mov vpm, r0                                 # the three instructions after a branch
    add r0, r0, 1                               # are always executed (delay slots)
    nop
    ldi vw_setup, vdw_setup_0(ROWS, 16, dma_h32(0, 0))  # DMA: store the rows, from VPM row 0 on
    ldi vw_setup, vdw_setup_1(0)                # DMA: no gap between rows in memory
    mov vw_addr, unif                           # start the DMA; the uniform is its target
    mov -, vw_wait                              # wait until the DMA is complete
    mov irq, 1                                  # interrupts the host
    nop; nop; thrend
    nop
    nop

uniforms:
    .int result
.align 64
result:
    .space ROWS * 16 * 4

# For "tessera run": run the program on one QPU, with one uniform, and write 64 words at result to result.csv.
.scene qpu program uniforms 1
.scene dump result 64 u32 result.csv
