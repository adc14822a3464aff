/* SPDX-License-Identifier: MIT */
/* cores.h - kernels for tests of records, in the syntax of GNU as.
 *
 * The first one is for the four cores of a Pi 2. Core 0 starts the others. All cores take a lock,
 * mix the system timer into a word, and note their number; cores 1 and 3 take timer interrupts,
 * core 0 sends bytes and events, core 2 waits for events:
 *
 *      mrc p15, 0, r0, c0, c0, 5
 *      and r4, r0, #3
 *      cmp r4, #0
 *      bne start
 *      mov r0, #0x40000000
 *      adr r1, secondary
 *      str r1, [r0, #0x9c]
 *      str r1, [r0, #0xac]
 *      str r1, [r0, #0xbc]
 *  secondary:
 *      mrc p15, 0, r0, c0, c0, 5
 *      and r4, r0, #3
 *  start:
 *      mov r0, #0x9000
 *      adr r1, vectors
 *      mcr p15, 4, r1, c12, c0, 0
 *      mcr p15, 0, r1, c12, c0, 0
 *      mov r2, #0x1d3
 *      adr r1, svc
 *      msr spsr_hyp, r2
 *      msr elr_hyp, r1
 *      eret
 *  svc:
 *      mov r1, #0x7000
 *      add sp, r1, r4, lsl #8
 *      cps #0x12
 *      add sp, r1, r4, lsl #8
 *      add sp, sp, #0x800
 *      cps #0x13
 *      mov r5, #0x9000
 *      ldr r7, =0x3f201000
 *      ldr r8, =0x3f003000
 *      mov r9, #0
 *      tst r4, #1
 *      beq loop
 *      mov r0, #0x40000000
 *      add r0, r0, r4, lsl #2
 *      mov r1, #2
 *      str r1, [r0, #0x40]
 *      mov r0, #576
 *      mcr p15, 0, r0, c14, c2, 0
 *      mov r0, #1
 *      mcr p15, 0, r0, c14, c2, 1
 *      cpsie i
 *  loop:
 *      1:  ldrex r0, [r5]
 *      cmp r0, #0
 *      bne 1b
 *      mov r1, #1
 *      strex r0, r1, [r5]
 *      cmp r0, #0
 *      bne 1b
 *      dmb
 *      ldr r0, [r5, #4]
 *      add r0, r0, r0, lsl #5
 *      add r0, r0, r4
 *      ldr r1, [r8, #4]
 *      add r0, r0, r1
 *      str r0, [r5, #4]
 *      ldr r1, [r5, #8]
 *      add r1, r1, #1
 *      str r1, [r5, #8]
 *      and r2, r1, #63
 *      add r2, r5, r2
 *      strb r4, [r2, #64]
 *      dmb
 *      mov r1, #0
 *      str r1, [r5]
 *      add r9, r9, #1
 *      tst r9, #31
 *      bne 2f
 *      cmp r4, #0
 *      andeq r1, r0, #15
 *      addeq r1, r1, #65
 *      streq r1, [r7]
 *      seveq
 *      cmp r4, #2
 *      bne 2f
 *      wfe
 *      2:  and r1, r0, #7
 *      3:  subs r1, r1, #1
 *      bpl 3b
 *      b loop
 *  irq:
 *      push {r0, r1}
 *      mov r0, #576
 *      mcr p15, 0, r0, c14, c2, 0
 *      ldr r1, [r5, #12]
 *      add r1, r1, #1
 *      str r1, [r5, #12]
 *      pop {r0, r1}
 *      subs pc, lr, #4
 *      .ltorg
 *      .balign 32
 *  vectors:
 *      b .
 *      b .
 *      b .
 *      b .
 *      b .
 *      b .
 *      b irq
 *      b .
 *
 * The second one is for a Pi Zero. It starts a DMA channel, whose control block is at 0xa000, and
 * counts in memory:
 *
 *      mov r5, #0x9000
 *      ldr r6, =0x20007000
 *      mov r0, #0xa000
 *      str r0, [r6, #4]
 *      mov r0, #1
 *      str r0, [r6]
 *      1:  add r1, r1, #1
 *      str r1, [r5]
 *      b 1b
 *      .ltorg */
#ifndef TESTS_CLI_PI_CORES_H
#define TESTS_CLI_PI_CORES_H

#include <stdint.h>

/* clang-format off */
static const uint32_t cores_words[] = {
    0xee100fb0, 0xe2004003, 0xe3540000, 0x1a000006, 0xe3a00101, 0xe28f1008,
    0xe580109c, 0xe58010ac, 0xe58010bc, 0xee100fb0, 0xe2004003, 0xe3a00a09,
    0xe28f1f52, 0xee8c1f10, 0xee0c1f10, 0xe30021d3, 0xe28f1008, 0xe16ef302,
    0xe12ef301, 0xe160006e, 0xe3a01a07, 0xe081d404, 0xf1020012, 0xe081d404,
    0xe28ddb02, 0xf1020013, 0xe3a05a09, 0xe59f70e8, 0xe59f80e8, 0xe3a09000,
    0xe3140001, 0x0a000008, 0xe3a00101, 0xe0800104, 0xe3a01002, 0xe5801040,
    0xe3a00d09, 0xee0e0f12, 0xe3a00001, 0xee0e0f32, 0xf1080080, 0xe1950f9f,
    0xe3500000, 0x1afffffc, 0xe3a01001, 0xe1850f91, 0xe3500000, 0x1afffff8,
    0xf57ff05f, 0xe5950004, 0xe0800280, 0xe0800004, 0xe5981004, 0xe0800001,
    0xe5850004, 0xe5951008, 0xe2811001, 0xe5851008, 0xe201203f, 0xe0852002,
    0xe5c24040, 0xf57ff05f, 0xe3a01000, 0xe5851000, 0xe2899001, 0xe319001f,
    0x1a000007, 0xe3540000, 0x0200100f, 0x02811041, 0x05871000, 0x0320f004,
    0xe3540002, 0x1a000000, 0xe320f002, 0xe2001007, 0xe2511001, 0x5afffffd,
    0xeaffffd9, 0xe92d0003, 0xe3a00d09, 0xee0e0f12, 0xe595100c, 0xe2811001,
    0xe585100c, 0xe8bd0003, 0xe25ef004, 0x3f201000, 0x3f003000, 0xe320f000,
    0xe320f000, 0xe320f000, 0xe320f000, 0xe320f000, 0xe320f000, 0xe320f000,
    0xeafffffe, 0xeafffffe, 0xeafffffe, 0xeafffffe, 0xeafffffe, 0xeafffffe,
    0xeaffffe7, 0xeafffffe,
};

static const uint32_t dma_words[] = {
    0xe3a05a09, 0xe59f6018, 0xe3a00a0a, 0xe5860004, 0xe3a00001, 0xe5860000,
    0xe2811001, 0xe5851000, 0xeafffffc, 0x20007000,
};
/* clang-format on */

#endif
