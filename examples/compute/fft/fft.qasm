# SPDX-License-Identifier: MIT
# Fourier transforms of complex numbers, by Stockham's method: passes of radix 16, 8, 4 and 2, each from one part of memory to another. The
# host selects the passes; fft.c explains the formula. Real and imaginary parts are in separate arrays, so that vectors of 16 are not rearranged.
#
# A QPU processes 16 butterflies at a time, one in each element. The 16 are adjacent, so that input number j of all 16 is one vector in
# memory, and so is each output. QPU n of Q processes the butterflies from 16 n on, then those from 16 (n + Q) on, and so on.
#
# The inputs of 16 butterflies of radix 16 are 32 vectors, which stay in registers: 16 in each file. Radix 16 is two layers of
# radix 4. An instruction reads one register of each file, so inputs that are added to each other are in different files.
#
# QPUs wait for each other at a barrier after each pass, since a pass needs all results of the previous pass. A pass never writes
# memory that was read earlier in the run: the caches of the texture units would still contain the old data.
#
# Source: VideoCore IV 3D Architecture Reference Guide, section 3 (semaphores), section 4 (general memory lookups), section 7 (VPM and DMA).

.include <vc4.qinc>
.include "../host/several.qinc"

.set PASS_END, 0                # kinds of passes
.set PASS_16_PLAIN, 1           # the first one: without twiddles
.set PASS_16, 2
.set PASS_8, 3
.set PASS_4, 4
.set PASS_2, 5

# Uniforms: this QPU's number; number of QPUs; then bytes from one of its vectors of butterflies to
# the next, and bytes from real to imaginary parts. Then for each pass:
.set ra_number, ra16
.set rb_count, rb16
.set rb_step, rb17
.set rb_imaginary, rb18
.set ra_kind, ra17              # one of the above; the list ends with PASS_END
.set ra_blocks, ra18            # number of this QPU's vectors of 16 butterflies; may be 0
.set rb_transform, rb19         # mask of a butterfly's number within its transform ...
.set rb_group, rb20             # ... and in its group of outputs; both times 4
.set ra_input, ra19             # addresses of inputs and outputs, and bytes from an input of a butterfly to its next input
.set rb_input_step, rb21
.set ra_output, ra20
.set ra_twiddles, ra21          # address of the twiddles, and bytes from one to the next, or from its real to its imaginary part
.set rb_twiddle_step, rb22
.set rb_store, rb23             # setup words for the DMA: the store of the real parts, and the gaps in memory
.set ra_gaps, ra22

.set ra_butterfly, ra23         # 4 * number of the current butterfly, for each element
.set ra_in, ra24                # next input: real and imaginary part
.set ra_in_im, ra29
.set ra_twiddle, ra25           # next twiddle
.set ra_twiddle_im, ra26
.set rb_twiddle_next, rb24      # 2 * twiddle_step
.set ra_out, ra27
.set ra_odd, ra28               # nonzero in every other pass
.set rb_first, rb25             # ra_butterfly at the start of a pass

# Vector j of the inputs is in file A if bits 3 and 1 of j are equal, else in file B: 8 or 2 apart are in different ones.
.set in_b(j) (j >> 3 ^ j >> 1) & 1
.set place(j) (j >> 3 & 1) * 4 + (j >> 2 & 1) * 2 + (j & 1)
.set re(j) (in_b(j) ? rb0 : ra0) + place(j)
.set im(j) (in_b(j) ? rb8 : ra8) + place(j)

# Positions of input and output number j of a butterfly among these vectors.
.set input(radix, j)  radix == 8 || radix == 2 ? 2 * j : j
.set output(radix, j) radix == 16 ? 4 * (j & 3) + (j >> 2) : radix == 8 ? 4 * (j & 3) + 2 * (j >> 2) : input(radix, j)

# --- parts of a pass ---

# From a butterfly's number b to addresses. Its inputs begin at radix * b - (radix - 1) * (b & transform), its outputs at
# radix * b - (radix - 1) * (b & group), and its twiddles are those of b & group.
.macro addresses, log2_radix
    shl r0, ra_butterfly, log2_radix
    and r1, ra_butterfly, rb_transform
    shl r2, r1, log2_radix
    sub r2, r0, r2
    add r1, r1, r2
    add ra_in, ra_input, r1
    and r1, ra_butterfly, rb_group
    add ra_in_im, ra_in, rb_imaginary
    add ra_twiddle, ra_twiddles, r1
    shl r2, r1, log2_radix
    sub r2, r0, r2
    add ra_twiddle_im, ra_twiddle, rb_twiddle_step
    add r1, r1, r2
    add ra_out, ra_output, r1
.endm

# Texture unit 0 fetches real parts, unit 1 imaginary parts. Each queues four requests.
.macro request
    add ra_in, ra_in, rb_input_step;                       mov t0s, ra_in
    add ra_in_im, ra_in_im, rb_input_step;                 mov t1s, ra_in_im
.endm

.macro request_twiddle
    add ra_twiddle, ra_twiddle, rb_twiddle_next;           mov t0s, ra_twiddle
    add ra_twiddle_im, ra_twiddle_im, rb_twiddle_next;     mov t1s, ra_twiddle_im
.endm

.macro receive, j
    nop;                      nop;                         ldtmu0
    mov re(j), r4;            nop;                         ldtmu1
    mov im(j), r4
.endm

# Receives an input and its twiddle, and multiplies them. If `again` is set, requests one more of both.
.macro receive_and_turn, j, again
    nop;                      nop;                         ldtmu0
    mov r0, r4;               nop;                         ldtmu1
    mov r1, r4;               nop;                         ldtmu0
    mov r2, r4;               nop;                         ldtmu1
  .if again
    request
    request_twiddle
  .endif
    nop;                      fmul r3, r1, r4
    nop;                      fmul r1, r1, r2
    nop;                      fmul r2, r0, r2
    fsub re(j), r2, r3;       fmul r0, r0, r4
    fadd im(j), r0, r1
.endm

.macro load_plain, radix
.rep j, 4
    request
.endr
.rep j, radix
    receive j
  .if j + 4 < radix
    request
  .endif
.endr
.endm

# The first input needs no twiddle. Two inputs with their twiddles are four requests.
.macro load_with_twiddles, radix
    request
    request
    request_twiddle
    receive input(radix, 0)
  .if radix > 2
    request
    request_twiddle
  .endif
.rep j, radix - 1
    receive_and_turn input(radix, j + 1), j + 3 < radix
.endr
.endm

.macro radix2, a, b
    fadd r0, re(a), re(b)
    fsub re(b), re(a), re(b)
    mov re(a), r0
    fadd r0, im(a), im(b)
    fsub im(b), im(a), im(b)
    mov im(a), r0
.endm

# a + c, a - c, b + d and b - d give the four outputs. re(b) temporarily holds im(a) - im(c).
.macro radix4, a, b, c, d
    fadd r0, re(a), re(c)
    fsub r2, re(a), re(c)
    fadd r1, re(b), re(d)
    fsub r3, re(b), re(d)
    fadd re(a), r0, r1
    fsub re(c), r0, r1
    fadd r0, im(a), im(c)
    fsub re(b), im(a), im(c)
    fadd r1, im(b), im(d)
    fadd im(a), r0, r1
    fsub im(c), r0, r1
    fsub r0, im(b), im(d)
    fsub im(b), re(b), r3
    fadd im(d), re(b), r3
    fadd re(b), r2, r0
    fsub re(d), r2, r0
.endm

# Multiplies by exp(-2 pi i turns / 16).
.macro turn, j, turns
  .if turns == 4
    mov r0, re(j)
    mov re(j), im(j)
    fsub im(j), 0, r0
  .else
    ldi r2, cos(M_2PI * turns / 16)
    ldi r3, sin(M_2PI * turns / 16)
    nop;                      fmul r0, re(j), r2
    nop;                      fmul r1, im(j), r3
    fadd re(j), r0, r1;       fmul r0, re(j), r3
    nop;                      fmul r1, im(j), r2
    fsub im(j), r1, r0
  .endif
.endm

.macro radix16
.rep a, 4
    radix4 a, a + 4, a + 8, a + 12
.endr
.rep a, 3
  .rep b, 3
    turn a + 1 + 4 * (b + 1), (a + 1) * (b + 1)
  .endr
.endr
.rep a, 4
    radix4 4 * a, 4 * a + 1, 4 * a + 2, 4 * a + 3
.endr
.endm

# Two layers: radix 4 and 2.
.macro radix8
.rep a, 2
    radix4 2 * a, 2 * a + 4, 2 * a + 8, 2 * a + 12
.endr
.rep b, 3
    turn 4 * b + 6, 2 * b + 2
.endr
.rep a, 4
    radix2 4 * a, 4 * a + 2
.endr
.endm

# One QPU at a time uses the DMA engine and the first rows of the VPM. Imaginary parts are written to the VPM while real parts are stored.
.macro store, radix
    mov -, mutex_acq
    ldi vw_setup, vpm_setup(0, 1, h32(0))
.rep j, radix
    mov vpm, re(output(radix, j))
.endr
    mov vw_setup, rb_store
    mov vw_setup, ra_gaps
    mov vw_addr, ra_out
    ldi vw_setup, vpm_setup(0, 1, h32(16))
.rep j, radix
    mov vpm, im(output(radix, j))
.endr
    mov -, vw_wait
    ldi r0, 16 << 7             # 16 rows further on
    add vw_setup, rb_store, r0
    mov vw_setup, ra_gaps
    add vw_addr, ra_out, rb_imaginary
    mov -, vw_wait
    mov mutex_rel, 0
.endm

.macro next_block, block
    sub.setf ra_blocks, ra_blocks, 1
    brr.anynz -, block
    add ra_butterfly, ra_butterfly, rb_step
    nop
    nop
.endm

.macro go_to, label
    brr -, label
    nop
    nop
    nop
.endm

.macro go_if_zero, value, label
    mov.setf -, value
    brr.allz -, label
    nop
    nop
    nop
.endm

.macro go_if_equal, value, constant, label
    sub.setf -, value, constant
    brr.allz -, label
    nop
    nop
    nop
.endm

# No QPU continues before all QPUs arrive here. Two consecutive barriers need different semaphores:
# otherwise a fast QPU at the second barrier could acquire a release for a QPU at the first barrier.
.macro barrier, come, go
    go_if_zero ra_number, :first\@
    srel -, come
    sacq -, go
    go_to :pass
:first\@
    mov r0, rb_count
    sub.setf r0, r0, 1
    brr.allz -, :pass           # there are no other QPUs
    mov r1, r0
    nop
    nop
:wait\@
    sub.setf r0, r0, 1
    brr.anynz -, :wait\@
    sacq -, come
    nop
    nop
:release\@
    sub.setf r1, r1, 1
    brr.anynz -, :release\@
    srel -, go
    nop
    nop
    go_to :pass
.endm

# --- the program ---

program:
    mov ra_number, unif
    mov rb_count, unif
    mov rb_step, unif
    mov rb_imaginary, unif
    shl r0, ra_number, 6        # 16 butterflies, 4 bytes
    shl r1, elem_num, 2
    add rb_first, r0, r1
    mov ra_odd, 0

:pass
    mov ra_kind, unif
    mov ra_butterfly, rb_first
    go_if_zero ra_kind, :end
    mov ra_blocks, unif
    mov rb_transform, unif
    mov rb_group, unif
    mov ra_input, unif
    mov rb_input_step, unif
    mov ra_output, unif
    mov ra_twiddles, unif
    mov rb_twiddle_step, unif
    mov rb_store, unif
    mov ra_gaps, unif
    add rb_twiddle_next, rb_twiddle_step, rb_twiddle_step
    go_if_zero ra_blocks, :pass_done
    go_if_equal ra_kind, PASS_8, :block8
    go_if_equal ra_kind, PASS_4, :block4
    go_if_equal ra_kind, PASS_2, :block2

:block16
    addresses 4
    go_if_equal ra_kind, PASS_16_PLAIN, :plain
    load_with_twiddles 16
    go_to :loaded
:plain
    load_plain 16
:loaded
    radix16
    store 16
    next_block :block16
    go_to :pass_done

:block8
    addresses 3
    load_with_twiddles 8
    radix8
    store 8
    next_block :block8
    go_to :pass_done

:block4
    addresses 2
    load_with_twiddles 4
    radix4 0, 1, 2, 3
    store 4
    next_block :block4
    go_to :pass_done

:block2
    addresses 1
    load_with_twiddles 2
    radix2 0, 2
    store 2
    next_block :block2

:pass_done
    mov.setf -, ra_odd
    brr.anynz -, :odd
    not ra_odd, ra_odd
    nop
    nop
    barrier 0, 1
:odd
    barrier 2, 3

:end
    finish ra_number, rb_count
