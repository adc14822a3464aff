# SPDX-License-Identifier: MIT
# The output of a coordinate shader in the VPM for the Primitive Tile Binner, computed by a user program so that the output
# can be examined. Its input, a vertex in window coordinates, comes from uniforms. Its output is 7 rows of 16 words, one row
# per value and one column per vertex (here 16 times the same):
#
#   0  Xc  0xbf665c24  -0.89984...      4  Ys, Xs  0x1c000200  (32, 448) in sixteenths of pixels
#   1  Yc  0x3f5edd42   0.87056...      5  Zs      0x3f800000   1.0
#   2  Zc  0x00000000   0.0             6  1/Wc    0x3f800000   1.0
#   3  Wc  0x3f800000   1.0
#
# Source: the words of the article "VPM, VCD, and VCM For Vertex Shaders", except for one instruction. It quotes rows 0 to 4.

.org 0x40000000
program:
    .int 0x009E7000, 0x100009E7     # nop

    # The vertex, which the system would have written to the VPM.
    .int 0x15827DF7, 0x10020027     # mov ra0, unif: Xs and Ys
    .int 0x15827DF7, 0x10020067     # mov ra1, unif: Zs
    .int 0x15827DF7, 0x100200A7     # mov ra2, unif: 1/Wc

    # Values without computation go to rows 2 to 6. The setup word selects rows of 32 bits from row
    # 2 on, one row further each time. Bits without a meaning are set, too.
    .int 0x17BC1AC2, 0xE0021C67     # ldi vw_setup, 0x17bc1ac2
    .int 0x00000000, 0xE0020C27     # ldi vpm, 0.0: Zc
    .int 0x3F800000, 0xE0020C27     # ldi vpm, 1.0: Wc
    .int 0x15027DF7, 0x10020C27     # mov vpm, ra0: Xs, Ys
    .int 0x15067DF7, 0x10020C27     # mov vpm, ra1: Zs
    .int 0x150A7DF7, 0x10020C27     # mov vpm, ra2: 1/Wc

    # Clip coordinates: pixels to -1.0 ... 1.0, for a window of 640x480.
    .int 0x0E004DC0, 0xD2020827     # shr r0, ra0.16a, 4: X without its fraction
    .int 0x0E004DC0, 0xD4020867     # shr r1, ra0.16b, 4: Y
    .int 0x080001F7, 0x10022827     # itof r0, r0
    .int 0x080003F7, 0x10022867     # itof r1, r1
    .int 0x3B4D1ED9, 0xE00208A7     # ldi r2, 2.0 / 639
    .int 0x3B88D181, 0xE00208E7     # ldi r3, 2.0 / 479
    .int 0x20000DC2, 0x100079E0     # fmul r0, r0, r2
    .int 0x20000DCB, 0x100079E1     # fmul r1, r1, r3
    .int 0x020201C0, 0xD0020827     # fsub r0, r0, 1.0
    .int 0x020203C0, 0xD0020867     # fsub r1, r1, 1.0

    .int 0x17BC1AC0, 0xE0021C67     # ldi vw_setup, 0x17bc1ac0: from row 0
    .int 0x159E7000, 0x10020C27     # mov vpm, r0: Xc
    .int 0x159E7249, 0x10020C27     # mov vpm, r1: Yc

    # To memory: 7 rows of 16 words.
    .int 0x83904000, 0xE0021C67     # ldi vw_setup, vdw_setup_0(7, 16, dma_h32(0, 0))
    .int 0x15800DF7, 0xD0021CA7     # mov vw_addr, unif
    mov -, vw_wait                  # waits for the store; not in the article

    nop; nop; sbdone                # mnemonics that assemble to the article's words
    nop; nop; thrend
    nop
    nop

uniforms:
    .short 32 * 16                  # Xs in sixteenths
    .short 448 * 16                 # Ys
    .single 1.0                     # Zs
    .single 1.0                     # 1/Wc
    .int rows

.align 64
rows:
    .space 7 * 16 * 4

.scene qpu program uniforms 4
.scene dump rows 112 x32 coordinate-shader-test.csv
