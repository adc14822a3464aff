# SPDX-License-Identifier: MIT
# C = alpha A B + beta C, by tiles of 32 rows and 16 columns. QPU n of Q computes the tiles in its list of uniforms.
#
# A tile is 32 sums of 16 elements in the register files: the elements are columns, the registers are rows. For each k, the texture unit
# fetches 16 elements of a row of B, and 32 uniforms are the elements of a column of A. The uniform unit copies each of these to all
# elements, at no cost. So a multiplication and an addition of 16 elements are one instruction, and the loop has 32 of them in 36. The
# host stores A in the order of these uniforms.
#
# At the end, the DMA loads the tile of C into the VPM, 16 rows at a time, and stores the new tile from there.
#
# Source: VideoCore IV 3D Architecture Reference Guide, section 3 (uniforms), section 4 (general memory lookups), section 7 (VPM and DMA).

.include <vc4.qinc>
.include "../host/several.qinc"

.set ROWS, 32                   # of a tile
.set HALF, ROWS / 2             # rows in the VPM at a time
.set IN_FLIGHT, 2               # rows of B: a row takes 36 instructions to use, and about 20 to fetch
.set TILE_BYTES, 3 * 4          # uniforms of a tile

# Uniforms: this QPU's number; number of QPUs; address of the uniforms of its first tile; number of its tiles;
# k, columns of A; bytes of a row of B; setup words of the DMA with the bytes of a row of C; bytes of 16 rows of
# C; alpha; beta. Then for each tile the addresses of its rows of A, its first vector of B and its corner of C.
.set ra_number, ra16
.set rb_count, rb16
.set ra_list, ra17
.set ra_tiles, ra18
.set rb_k, rb18
.set rb_b_row, rb19
.set ra_c_load, ra20
.set ra_c_store, ra21
.set rb_c_half, rb21
.set ra_alpha, ra22
.set ra_beta, ra23
.set ra_a, ra24
.set ra_c, ra25
.set rb_element, rb22           # 4 * element number
.set rb_tile_bytes, rb23
.set sum(row) (row & 1 ? rb0 : ra0) + row / 2

program:
    mov ra_number, unif
    mov rb_count, unif
    mov ra_list, unif
    mov ra_tiles, unif
    mov rb_k, unif
    mov rb_b_row, unif
    mov ra_c_load, unif
    mov ra_c_store, unif
    mov rb_c_half, unif
    mov ra_alpha, unif
    mov ra_beta, unif
    shl rb_element, elem_num, 2
    mov rb_tile_bytes, TILE_BYTES

:tile
    mov ra_a, unif
    add r3, rb_element, unif    # the next row of B
    mov ra_c, unif
    mov unif_addr, ra_a         # from here on, uniforms are elements of A
    add ra_list, ra_list, rb_tile_bytes
.rep i, IN_FLIGHT - 1
    mov t0s, r3
    add r3, r3, rb_b_row
.endr
    mov t0s, r3
    mov r2, rb_k
.rep i, ROWS / 2
    mov sum(2 * i), 0; mov sum(2 * i + 1), 0
.endr

    # Products are added one pair of instructions after their multiplication.
:k
    add r3, r3, rb_b_row;                nop;                  ldtmu0
    mov t0s, r3;                         fmul r0, r4, unif
    sub.setf r2, r2, 1;                  fmul r1, r4, unif
.rep i, ROWS / 2 - 2
    fadd sum(2 * i), sum(2 * i), r0;     fmul r0, r4, unif
    fadd sum(2 * i + 1), sum(2 * i + 1), r1; fmul r1, r4, unif
.endr
    fadd sum(28), sum(28), r0;           fmul r0, r4, unif
    brr.anynz -, :k
    fadd sum(29), sum(29), r1;           fmul r1, r4, unif
    fadd sum(30), sum(30), r0
    fadd sum(31), sum(31), r1

    # Receives rows of B that were requested but are not needed: the host has written zeros after the last row.
.rep i, IN_FLIGHT
    nop;                                 nop;                  ldtmu0
    mov r0, r4
.endr

    # One QPU at a time uses the DMA engine, and the first rows of the VPM.
    mov -, mutex_acq
.rep half, 2
    ldi vr_setup, vdr_setup_0(0, 16, HALF, vdr_h32(1, 0, 0))
    mov vr_setup, ra_c_load
    mov vr_addr, ra_c
    mov -, vr_wait
    ldi vr_setup, vpm_setup(HALF, 1, h32(0))
    ldi vw_setup, vpm_setup(0, 1, h32(HALF))
    mov r2, ra_beta
    mov r3, ra_alpha
  .rep row, HALF
    nop;                                 fmul r0, vpm, r2
    nop;                                 fmul r1, sum(half * HALF + row), r3
    fadd vpm, r0, r1
  .endr
    ldi vw_setup, vdw_setup_0(HALF, 16, dma_h32(HALF, 0))
    mov vw_setup, ra_c_store
    mov vw_addr, ra_c
    add ra_c, ra_c, rb_c_half
    mov -, vw_wait
.endr
    mov mutex_rel, 0

    mov unif_addr, ra_list
    sub.setf ra_tiles, ra_tiles, 1
    brr.anynz -, :tile
    nop
    nop
    nop

    finish ra_number, rb_count
