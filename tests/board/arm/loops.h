/* SPDX-License-Identifier: MIT */
/* loops.h - machine code for the test of loops that wait. Each line has a word and its instruction,
 * at its offset from the program's start. */
#ifndef TESTS_ARM_LOOPS_H
#define TESTS_ARM_LOOPS_H

#include <stdint.h>

/* clang-format off */
static const uint32_t call_program[] = {
    0xe3a03202, /* mov r3, #536870912 */
    0xe3833a03, /* orr r3, r3, #12288 */
    0xe3a0db26, /* mov sp, #38912 */
    0xeb000008, /* bl 0x34 */
    0xe2904ffa, /* adds r4, r0, #1000 */
    0xe2a15000, /* adc r5, r1, #0 */
    0xeb000005, /* bl 0x34 */
    0xe1510005, /* cmp r1, r5 */
    0x01500004, /* cmpeq r0, r4 */
    0x3afffffb, /* bcc 0x18 */
    0xe3a06a09, /* mov r6, #36864 */
    0xe8860003, /* stm r6, {r0, r1} */
    0xeafffffe, /* b 0x30 */
    0xe92d4030, /* push {r4, r5, lr} */
    0xe5931008, /* ldr r1, [r3, #8] */
    0xe5930004, /* ldr r0, [r3, #4] */
    0xe5932008, /* ldr r2, [r3, #8] */
    0xe1510002, /* cmp r1, r2 */
    0x1afffffa, /* bne 0x38 */
    0xe8bd8030, /* pop {r4, r5, pc} */
};

static const uint32_t bits_program[] = {
    0xe3a03202, /* mov r3, #536870912 */
    0xe3833a03, /* orr r3, r3, #12288 */
    0xe5932004, /* ldr r2, [r3, #4] */
    0xe3120c02, /* tst r2, #512 */
    0x0afffffc, /* beq 0x5c */
    0xe1a05002, /* mov r5, r2 */
    0xe5932004, /* ldr r2, [r3, #4] */
    0xe1a013a2, /* lsr r1, r2, #7 */
    0xe3510006, /* cmp r1, #6 */
    0x1afffffb, /* bne 0x6c */
    0xe5932004, /* ldr r2, [r3, #4] */
    0xe2621ffa, /* rsb r1, r2, #1000 */
    0xe3510000, /* cmp r1, #0 */
    0xcafffffb, /* bgt 0x7c */
    0xe3a06a09, /* mov r6, #36864 */
    0xe5865000, /* str r5, [r6] */
    0xe5862004, /* str r2, [r6, #4] */
    0xeafffffe, /* b 0x98 */
};

static const uint32_t flag_program[] = {
    0xe59f0074, /* ldr r0, [pc, #116] */
    0xe3a01f4b, /* mov r1, #300 */
    0xe5801010, /* str r1, [r0, #16] */
    0xe59f206c, /* ldr r2, [pc, #108] */
    0xe3a01002, /* mov r1, #2 */
    0xe5821210, /* str r1, [r2, #528] */
    0xe3a0db26, /* mov sp, #38912 */
    0xe321f0d2, /* msr CPSR_c, #210 */
    0xe3a0dc99, /* mov sp, #39168 */
    0xe59f4058, /* ldr r4, [pc, #88] */
    0xe3a05018, /* mov r5, #24 */
    0xe5854000, /* str r4, [r5] */
    0xe28f4030, /* add r4, pc, #48 */
    0xe5854004, /* str r4, [r5, #4] */
    0xe321f053, /* msr CPSR_c, #83 */
    0xe3a06a09, /* mov r6, #36864 */
    0xeb000005, /* bl 0xfc */
    0xe3500000, /* cmp r0, #0 */
    0x0afffffc, /* beq 0xe0 */
    0xe59f0028, /* ldr r0, [pc, #40] */
    0xe5901004, /* ldr r1, [r0, #4] */
    0xe5861004, /* str r1, [r6, #4] */
    0xeafffffe, /* b 0xf8 */
    0xe52de004, /* push {lr} */
    0xe5960000, /* ldr r0, [r6] */
    0xe49df004, /* pop {pc} */
    0xe3a07001, /* mov r7, #1 */
    0xe5867000, /* str r7, [r6] */
    0xe3a07002, /* mov r7, #2 */
    0xe582721c, /* str r7, [r2, #540] */
    0xe25ef004, /* subs pc, lr, #4 */
    0x20003000, /* .word 0x20003000 */
    0x2000b000, /* .word 0x2000b000 */
    0xe51ff004, /* .word 0xe51ff004 */
};

static const uint32_t halves_program[] = {
    0xe3a03202, /* mov r3, #536870912 */
    0xe3833a03, /* orr r3, r3, #12288 */
    0xe59f4024, /* ldr r4, [pc, #36] */
    0xe5931008, /* ldr r1, [r3, #8] */
    0xe5930004, /* ldr r0, [r3, #4] */
    0xe5932008, /* ldr r2, [r3, #8] */
    0xe1510002, /* cmp r1, r2 */
    0x1afffffa, /* bne 0xc */
    0xe1500004, /* cmp r0, r4 */
    0x3afffff8, /* bcc 0xc */
    0xe3a06a09, /* mov r6, #36864 */
    0xe8860003, /* stm r6, {r0, r1} */
    0xeafffffe, /* b 0x30 */
    0x3b9aca00, /* .word 0x3b9aca00 */
};

static const uint32_t lock_program[] = {
    0xe3a03202, /* mov r3, #536870912 */
    0xe3833a03, /* orr r3, r3, #12288 */
    0xe59f4038, /* ldr r4, [pc, #56] */
    0xe3a06a09, /* mov r6, #36864 */
    0xe3a05001, /* mov r5, #1 */
    0xe5865004, /* str r5, [r6, #4] */
    0xe2867004, /* add r7, r6, #4 */
    0xe5930004, /* ldr r0, [r3, #4] */
    0xe1500004, /* cmp r0, r4 */
    0x2a000005, /* bcs 0x40 */
    0xe1971f9f, /* ldrex r1, [r7] */
    0xe1872f95, /* strex r2, r5, [r7] */
    0xe3520000, /* cmp r2, #0 */
    0x1afffffb, /* bne 0x28 */
    0xe3510000, /* cmp r1, #0 */
    0x1afffff6, /* bne 0x1c */
    0xe5860000, /* str r0, [r6] */
    0xeafffffe, /* b 0x44 */
    0x3b9aca00, /* .word 0x3b9aca00 */
};

static const uint32_t wide_lock[] = {
    0xd2920006, /* mov x6, #0x9000 */
    0x910010c7, /* add x7, x6, #0x4 */
    0x52800025, /* mov w5, #0x1 */
    0xb90000e5, /* str w5, [x7] */
    0x58000144, /* ldr x4, 0x38 */
    0xd53be020, /* mrs x0, cntpct_el0 */
    0xeb04001f, /* cmp x0, x4 */
    0x540000a2, /* b.cs 0x30 */
    0x885ffce1, /* ldaxr w1, [x7] */
    0x88027ce5, /* stxr w2, w5, [x7] */
    0x35ffffc2, /* cbnz w2, 0x20 */
    0x35ffff41, /* cbnz w1, 0x14 */
    0xb90000c0, /* str w0, [x6] */
    0x14000000, /* b 0x34 */
    0x77359400, /* .word 0x77359400 */
    0x00000000, /* .word 0x00000000 */
};

static const uint32_t wide_wait[] = {
    0xd503201f, /* nop */
    0xd503201f, /* nop */
    0xd53be020, /* mrs x0, cntpct_el0 */
    0xd2896003, /* mov x3, #0x4b00 */
    0xd53be021, /* mrs x1, cntpct_el0 */
    0xcb000022, /* sub x2, x1, x0 */
    0xeb03005f, /* cmp x2, x3 */
    0x54ffffa3, /* b.cc 0x10 */
    0xd2920006, /* mov x6, #0x9000 */
    0xf90000c2, /* str x2, [x6] */
    0x14000000, /* b 0x28 */
};

static const uint32_t wide_quotient[] = {
    0xd503201f, /* nop */
    0xd503201f, /* nop */
    0xd2884804, /* mov x4, #0x4240 */
    0xf2a001e4, /* movk x4, #0xf, lsl #16 */
    0xd53be020, /* mrs x0, cntpct_el0 */
    0xd53be002, /* mrs x2, cntfrq_el0 */
    0x9b047c00, /* mul x0, x0, x4 */
    0x9ac20803, /* udiv x3, x0, x2 */
    0xd53be020, /* mrs x0, cntpct_el0 */
    0xd53be002, /* mrs x2, cntfrq_el0 */
    0x9b047c00, /* mul x0, x0, x4 */
    0x9ac20800, /* udiv x0, x0, x2 */
    0x4b030000, /* sub w0, w0, w3 */
    0x710af01f, /* cmp w0, #0x2bc */
    0x54ffff43, /* b.cc 0x50 */
    0xd2920006, /* mov x6, #0x9000 */
    0xb90000c0, /* str w0, [x6] */
    0x14000000, /* b 0x74 */
};

static const uint32_t wide_call[] = {
    0xd2860000, /* mov x0, #0x3000 */
    0xf2a7e000, /* movk x0, #0x3f00, lsl #16 */
    0xd2930004, /* mov x4, #0x9800 */
    0x9100009f, /* mov sp, x4 */
    0xd2920006, /* mov x6, #0x9000 */
    0x94000007, /* bl 0xac */
    0x910fa033, /* add x19, x1, #0x3e8 */
    0x94000005, /* bl 0xac */
    0xeb13003f, /* cmp x1, x19 */
    0x54ffffc3, /* b.cc 0x98 */
    0xf90000c1, /* str x1, [x6] */
    0x14000000, /* b 0xa8 */
    0xa9bf7bfd, /* stp x29, x30, [sp, #-16]! */
    0xb9400802, /* ldr w2, [x0, #8] */
    0xb9400401, /* ldr w1, [x0, #4] */
    0xb9400803, /* ldr w3, [x0, #8] */
    0x6b03005f, /* cmp w2, w3 */
    0x54ffff81, /* b.ne 0xb0 */
    0xaa028021, /* orr x1, x1, x2, lsl #32 */
    0xa8c17bfd, /* ldp x29, x30, [sp], #16 */
    0xd65f03c0, /* ret */
};

static const uint32_t wide_event[] = {
    0x100001c1, /* adr x1, 0x10c */
    0xd2801c02, /* mov x2, #0xe0 */
    0xf9000041, /* str x1, [x2] */
    0xd503209f, /* sev */
    0xd2860003, /* mov x3, #0x3000 */
    0xf2a7e003, /* movk x3, #0x3f00, lsl #16 */
    0xb9400461, /* ldr w1, [x3, #4] */
    0x7107d03f, /* cmp w1, #0x1f4 */
    0x54ffffc3, /* b.cc 0xec */
    0xd2920006, /* mov x6, #0x9000 */
    0xb90000c1, /* str w1, [x6] */
    0xd503209f, /* sev */
    0xd503205f, /* wfe */
    0x17ffffff, /* b 0x104 */
    0xd2860003, /* mov x3, #0x3000 */
    0xf2a7e003, /* movk x3, #0x3f00, lsl #16 */
    0xd2920006, /* mov x6, #0x9000 */
    0xd503205f, /* wfe */
    0xb94000c1, /* ldr w1, [x6] */
    0x34ffffc1, /* cbz w1, 0x118 */
    0xb9400461, /* ldr w1, [x3, #4] */
    0xb90004c1, /* str w1, [x6, #4] */
    0xd503205f, /* wfe */
    0x17ffffff, /* b 0x12c */
};

/* Divides the count of the generic timers by 19.2, and waits for 1000 counts. */
static const uint32_t wide_prescaler[] = {
    0xd2a80003, /* mov x3, #0x40000000 */
    0x52955564, /* mov w4, #0xaaab */
    0x72a0d544, /* movk w4, #0x6aa, lsl #16 */
    0xb9000864, /* str w4, [x3, #8] */
    0xd2860005, /* mov x5, #0x3000 */
    0xf2a7e005, /* movk x5, #0x3f00, lsl #16 */
    0xb94004a6, /* ldr w6, [x5, #4] */
    0xd53be027, /* mrs x7, cntpct_el0 */
    0x910fa0e8, /* add x8, x7, #0x3e8 */
    0xd53be029, /* mrs x9, cntpct_el0 */
    0xeb08013f, /* cmp x9, x8 */
    0x54ffffc3, /* b.cc 24 <.text+0x24> */
    0xb94004aa, /* ldr w10, [x5, #4] */
    0x4b06014a, /* sub w10, w10, w6 */
    0xd292000b, /* mov x11, #0x9000 */
    0xb900016a, /* str w10, [x11] */
    0x14000000, /* b 40 <.text+0x40> */
};
/* clang-format on */

#endif
