/* SPDX-License-Identifier: MIT */
/* kernel.h - a small kernel for a Pi Zero. It asks for a framebuffer of 8 x 8 pixels, counts in it,
 * sends a byte after each fourth timer interrupt, and sends received bytes back. In the syntax of
 * GNU as:
 *
 *      mov r8, #0x20000000
 *      mov sp, #0x8000
 *      ldr r1, vector
 *      mov r2, #0
 *      str r1, [r2, #0x18]
 *      adr r1, handler
 *      str r1, [r2, #0x38]
 *      ldr r9, uart
 *      mov r1, #1
 *      str r1, [r9, #0x24]
 *      mov r1, #0x70
 *      str r1, [r9, #0x2c]
 *      ldr r1, on
 *      str r1, [r9, #0x30]
 *      ldr r10, mail
 *      adr r1, message
 *      orr r1, r1, #8
 *      str r1, [r10, #0x20]
 *      adr r1, message
 *      ldr r11, [r1, #76]
 *      bic r11, r11, #0xc0000000
 *      cps #0x12
 *      mov sp, #0x7000
 *      cps #0x13
 *      ldr r5, irq
 *      mov r1, #2
 *      str r1, [r5, #0x10]
 *      ldr r6, timer
 *      ldr r1, [r6, #4]
 *      add r1, r1, #100
 *      str r1, [r6, #0x10]
 *      mov r4, #0
 *      mov r7, #0
 *      cpsie i
 *     again:
 *      wfi
 *     count:
 *      add r4, r4, #1
 *      mul r1, r4, r4
 *      eor r1, r1, r7
 *      and r2, r4, #63
 *      str r1, [r11, r2, lsl #2]
 *      tst r4, #3
 *      bne again
 *     send:
 *      ldr r2, [r9, #0x18]
 *      tst r2, #0x20
 *      bne send
 *      and r1, r1, #63
 *      add r1, r1, #48
 *      str r1, [r9]
 *      ldr r2, [r9, #0x18]
 *      tst r2, #0x10
 *      ldreq r2, [r9]
 *      streq r2, [r9]
 *      b again
 *     handler:
 *      push {r0-r3}
 *      mov r0, #2
 *      str r0, [r6]
 *      ldr r1, [r6, #4]
 *      add r7, r7, r1
 *      and r2, r1, #127
 *      add r2, r2, #40
 *      add r1, r1, r2
 *      str r1, [r6, #0x10]
 *      pop {r0-r3}
 *      subs pc, lr, #4
 *     vector: .word 0xe59ff018
 *     uart: .word 0x20201000
 *     on: .word 0x301
 *     mail: .word 0x2000b880
 *     irq: .word 0x2000b200
 *     timer: .word 0x20003000
 *      .balign 16
 *     message:
 *      .word 88, 0
 *      .word 0x48003, 8, 0, 8, 8
 *      .word 0x48004, 8, 0, 8, 8
 *      .word 0x48005, 4, 0, 32
 *      .word 0x40001, 8, 0, 16, 0
 *      .word 0, 0
 */
#ifndef TESTS_BOARD_MACHINE_KERNEL_H
#define TESTS_BOARD_MACHINE_KERNEL_H

#include <stdint.h>

enum { KERNEL_ADDRESS = 0x8000, KERNEL_COUNT = 0x808c, KERNEL_HANDLER = 0x80d4, KERNEL_WIDTH = 8 };

static const uint32_t kernel_words[] = {
    0xe3a08202, 0xe3a0d902, 0xe59f10f0, 0xe3a02000, 0xe5821018, 0xe28f10b8, 0xe5821038, 0xe59f90e0,
    0xe3a01001, 0xe5891024, 0xe3a01070, 0xe589102c, 0xe59f10d0, 0xe5891030, 0xe59fa0cc, 0xe28f10dc,
    0xe3811008, 0xe58a1020, 0xe28f10d0, 0xe591b04c, 0xe3cbb103, 0xf1020012, 0xe3a0da07, 0xf1020013,
    0xe59f50a8, 0xe3a01002, 0xe5851010, 0xe59f60a0, 0xe5961004, 0xe2811064, 0xe5861010, 0xe3a04000,
    0xe3a07000, 0xf1080080, 0xe320f003, 0xe2844001, 0xe0010494, 0xe0211007, 0xe204203f, 0xe78b1102,
    0xe3140003, 0x1afffff7, 0xe5992018, 0xe3120020, 0x1afffffc, 0xe201103f, 0xe2811030, 0xe5891000,
    0xe5992018, 0xe3120010, 0x05992000, 0x05892000, 0xeaffffec, 0xe92d000f, 0xe3a00002, 0xe5860000,
    0xe5961004, 0xe0877001, 0xe201207f, 0xe2822028, 0xe0811002, 0xe5861010, 0xe8bd000f, 0xe25ef004,
    0xe59ff018, 0x20201000, 0x00000301, 0x2000b880, 0x2000b200, 0x20003000, 0xe320f000, 0xe320f000,
    0x00000058, 0x00000000, 0x00048003, 0x00000008, 0x00000000, 0x00000008, 0x00000008, 0x00048004,
    0x00000008, 0x00000000, 0x00000008, 0x00000008, 0x00048005, 0x00000004, 0x00000000, 0x00000020,
    0x00040001, 0x00000008, 0x00000000, 0x00000010, 0x00000000, 0x00000000, 0x00000000,
};

#endif
