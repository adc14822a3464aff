/* SPDX-License-Identifier: MIT */
/* privileges.h - machine code for the test of Hyp and Monitor mode. Each line has a word and its
 * instruction. */
#ifndef TESTS_ARM_PRIVILEGES_H
#define TESTS_ARM_PRIVILEGES_H

#include <stdint.h>

/* clang-format off */
static const uint32_t hyp_program[] = {
    0xe3a04a09, /* mov r4, #36864 */
    0xe10f0000, /* mrs r0, CPSR */
    0xe5840000, /* str r0, [r4] */
    0xe3a00a0a, /* mov r0, #40960 */
    0xee8c0f10, /* mcr 15, 4, r0, cr12, cr0, {0} */
    0xe10f0000, /* mrs r0, CPSR */
    0xe3c0001f, /* bic r0, r0, #31 */
    0xe3800013, /* orr r0, r0, #19 */
    0xe16ef300, /* msr SPSR_hyp, r0 */
    0xe28f0004, /* add r0, pc, #4 */
    0xe12ef300, /* msr ELR_hyp, r0 */
    0xe160006e, /* eret */
    0xe10f0000, /* mrs r0, CPSR */
    0xe5840004, /* str r0, [r4, #4] */
    0xe1400075, /* hvc 5 */
    0xe5845008, /* str r5, [r4, #8] */
    0xe584600c, /* str r6, [r4, #12] */
    0xe5847010, /* str r7, [r4, #16] */
    0xe5848014, /* str r8, [r4, #20] */
    0xeafffffe, /* b . */
};

static const uint32_t hyp_vector[] = {
    0xe10f5000, /* mrs r5, CPSR */
    0xe10e6300, /* mrs r6, ELR_hyp */
    0xee957f12, /* mrc 15, 4, r7, cr5, cr2, {0} */
    0xe14e8300, /* mrs r8, SPSR_hyp */
    0xe160006e, /* eret */
};

static const uint32_t coprocessor_program[] = {
    0xe3a04a09, /* mov r4, #36864 */
    0xee110f51, /* mrc 15, 0, r0, cr1, cr1, {2} */
    0xe5840000, /* str r0, [r4] */
    0xeafffffe, /* b . */
};

static const uint32_t identity_program[] = {
    0xe3a04a09, /* mov r4, #36864 */
    0xee100f10, /* mrc 15, 0, r0, cr0, cr0, {0} */
    0xe5840000, /* str r0, [r4] */
    0xe30001d3, /* movw r0, #467 */
    0xe16ff000, /* msr SPSR_fsxc, r0 */
    0xe28f0004, /* add r0, pc, #4 */
    0xe12ef300, /* msr ELR_hyp, r0 */
    0xe160006e, /* eret */
    0xee100f10, /* mrc 15, 0, r0, cr0, cr0, {0} */
    0xe5840004, /* str r0, [r4, #4] */
    0xeafffffe, /* b . */
};

static const uint32_t route_program[] = {
    0xe3a04a09, /* mov r4, #36864 */
    0xe3a00a0a, /* mov r0, #40960 */
    0xee8c0f10, /* mcr 15, 4, r0, cr12, cr0, {0} */
    0xe3a00010, /* mov r0, #16 */
    0xee810f11, /* mcr 15, 4, r0, cr1, cr1, {0} */
    0xe59f1028, /* ldr r1, [pc, #40] */
    0xe3a00064, /* mov r0, #100 */
    0xe5810010, /* str r0, [r1, #16] */
    0xe59f2020, /* ldr r2, [pc, #32] */
    0xe3a00002, /* mov r0, #2 */
    0xe5820010, /* str r0, [r2, #16] */
    0xe30001d3, /* movw r0, #467 */
    0xe16ff000, /* msr SPSR_fsxc, r0 */
    0xe28f0004, /* add r0, pc, #4 */
    0xe12ef300, /* msr ELR_hyp, r0 */
    0xe160006e, /* eret */
    0xeafffffe, /* b . */
    0x3f003000, /* .word 0x3f003000 */
    0x3f00b200, /* .word 0x3f00b200 */
};

static const uint32_t route_vector[] = {
    0xe10f0000, /* mrs r0, CPSR */
    0xe5840000, /* str r0, [r4] */
    0xe10e0300, /* mrs r0, ELR_hyp */
    0xe5840004, /* str r0, [r4, #4] */
    0xe14f0000, /* mrs r0, SPSR */
    0xe5840008, /* str r0, [r4, #8] */
    0xeafffffe, /* b . */
};

static const uint32_t monitor_program[] = {
    0xe3a04a09, /* mov r4, #36864 */
    0xe10f0000, /* mrs r0, CPSR */
    0xe5840000, /* str r0, [r4] */
    0xe3a00a0a, /* mov r0, #40960 */
    0xee0c0f30, /* mcr 15, 0, r0, cr12, cr0, {1} */
    0xe3a00a0b, /* mov r0, #45056 */
    0xee0c0f10, /* mcr 15, 0, r0, cr12, cr0, {0} */
    0xe1600070, /* smc 0 */
    0xe5845004, /* str r5, [r4, #4] */
    0xe5846008, /* str r6, [r4, #8] */
    0xe584700c, /* str r7, [r4, #12] */
    0xe10f0000, /* mrs r0, CPSR */
    0xe5840010, /* str r0, [r4, #16] */
    0xee1c0f10, /* mrc 15, 0, r0, cr12, cr0, {0} */
    0xe5840014, /* str r0, [r4, #20] */
    0xeafffffe, /* b . */
};

static const uint32_t monitor_vector[] = {
    0xe10f5000, /* mrs r5, CPSR */
    0xe1a0600e, /* mov r6, lr */
    0xe14f7000, /* mrs r7, SPSR */
    0xe3a00031, /* mov r0, #49 */
    0xee010f11, /* mcr 15, 0, r0, cr1, cr1, {0} */
    0xe1b0f00e, /* movs pc, lr */
};

static const uint32_t interrupt_program[] = {
    0xe3a04a09, /* mov r4, #36864 */
    0xe3a00a0a, /* mov r0, #40960 */
    0xee0c0f30, /* mcr 15, 0, r0, cr12, cr0, {1} */
    0xe3a00002, /* mov r0, #2 */
    0xee010f11, /* mcr 15, 0, r0, cr1, cr1, {0} */
    0xe59f1020, /* ldr r1, [pc, #32] */
    0xe3a00064, /* mov r0, #100 */
    0xe5810010, /* str r0, [r1, #16] */
    0xe59f2018, /* ldr r2, [pc, #24] */
    0xe3a00002, /* mov r0, #2 */
    0xe5820010, /* str r0, [r2, #16] */
    0xe3a00053, /* mov r0, #83 */
    0xe3800c01, /* orr r0, r0, #256 */
    0xe12ff000, /* msr CPSR_fsxc, r0 */
    0xeafffffe, /* b . */
    0x20003000, /* .word 0x20003000 */
    0x2000b200, /* .word 0x2000b200 */
};

static const uint32_t interrupt_vector[] = {
    0xe10f0000, /* mrs r0, CPSR */
    0xe5840000, /* str r0, [r4] */
    0xe584e004, /* str lr, [r4, #4] */
    0xeafffffe, /* b . */
};

static const uint32_t baud_program[] = {
    0xe3a04a09, /* mov r4, #36864 */
    0xe59f0008, /* ldr r0, [pc, #8] */
    0xe5901068, /* ldr r1, [r0, #104] */
    0xe5841000, /* str r1, [r4] */
    0xeafffffe, /* b . */
    0x3f215000, /* .word 0x3f215000 */
};


/* The physical timer, which has fired, and the core's sources of IRQ. */
static const uint32_t timer_program[] = {
    0xe3a04a09, /* mov r4, #36864 */
    0xe3a00000, /* mov r0, #0 */
    0xec400f2e, /* mcrr 15, 2, r0, r0, cr14 */
    0xe3a00001, /* mov r0, #1 */
    0xee0e0f32, /* mcr 15, 0, r0, cr14, cr2, {1} */
    0xe3a01101, /* mov r1, #1073741824 */
    0xe3a0000f, /* mov r0, #15 */
    0xe5810040, /* str r0, [r1, #64] */
    0xf57ff04f, /* dsb sy */
    0xe5910060, /* ldr r0, [r1, #96] */
    0xe5840000, /* str r0, [r4] */
    0xeafffffe, /* b 2c  */
};
/* clang-format on */

#endif
