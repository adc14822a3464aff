/* SPDX-License-Identifier: MIT */
/* programs.h - machine code for the test of the engine. Each line has a word and its instruction.
 * */
#ifndef TESTS_ARM_PROGRAMS_H
#define TESTS_ARM_PROGRAMS_H

#include <stdint.h>

/* clang-format off */
static const uint32_t poll_program[] = {
    0xe3a03202, /* mov r3, #536870912 */
    0xe3833a03, /* orr r3, r3, #12288 */
    0xe5931004, /* ldr r1, [r3, #4] */
    0xe5932004, /* ldr r2, [r3, #4] */
    0xe0422001, /* sub r2, r2, r1 */
    0xe3520ffa, /* cmp r2, #1000 */
    0x3afffffb, /* bcc 800c <loop> */
    0xe3a04a09, /* mov r4, #36864 */
    0xe5842000, /* str r2, [r4] */
    0xeafffffe, /* b 8024 <end> */
};

static const uint32_t flag_program[] = {
    0xe3a03202, /* mov r3, #536870912 */
    0xe3833a03, /* orr r3, r3, #12288 */
    0xe3a01032, /* mov r1, #50 */
    0xe5831010, /* str r1, [r3, #16] */
    0xe5932000, /* ldr r2, [r3] */
    0xe3120002, /* tst r2, #2 */
    0x0afffffc, /* beq 8010 <loop> */
    0xe5935004, /* ldr r5, [r3, #4] */
    0xe3a04a09, /* mov r4, #36864 */
    0xe5845000, /* str r5, [r4] */
    0xeafffffe, /* b 8028 <end> */
};

static const uint32_t irq_program[] = {
    0xe59f0060, /* ldr r0, [pc, #96] @ 8068 <vector+0x1c> */
    0xe3a01064, /* mov r1, #100 */
    0xe5801010, /* str r1, [r0, #16] */
    0xe59f2058, /* ldr r2, [pc, #88] @ 806c <vector+0x20> */
    0xe3a01002, /* mov r1, #2 */
    0xe5821010, /* str r1, [r2, #16] */
    0xe59f3050, /* ldr r3, [pc, #80] @ 8070 <vector+0x24> */
    0xe5853038, /* str r3, [r5, #56] */
    0xe59f304c, /* ldr r3, [pc, #76] @ 8074 <vector+0x28> */
    0xe5853018, /* str r3, [r5, #24] */
    0xe3a06000, /* mov r6, #0 */
    0xf1080080, /* cpsie i */
    0xe320f003, /* wfi */
    0xe3560002, /* cmp r6, #2 */
    0x1afffffc, /* bne 8030 <wait> */
    0xe3a04a09, /* mov r4, #36864 */
    0xe5907004, /* ldr r7, [r0, #4] */
    0xe5847000, /* str r7, [r4] */
    0xeafffffe, /* b 8048 <end> */
    0xe3a08002, /* mov r8, #2 */
    0xe5808000, /* str r8, [r0] */
    0xe5908010, /* ldr r8, [r0, #16] */
    0xe28880c8, /* add r8, r8, #200 */
    0xe5808010, /* str r8, [r0, #16] */
    0xe2866001, /* add r6, r6, #1 */
    0xe25ef004, /* subs pc, lr, #4 */
    0x20003000, /* .word 0x20003000 */
    0x2000b200, /* .word 0x2000b200 */
    0x0000804c, /* .word 0x0000804c */
    0xe59ff018, /* .word 0xe59ff018 */
};

static const uint32_t traps_program[] = {
    0xe3a04a09, /* mov r4, #36864 */
    0xe3a05000, /* mov r5, #0 */
    0xe59f3088, /* ldr r3, [pc, #136] @ 8098 <abort+0x18> */
    0xe5853004, /* str r3, [r5, #4] */
    0xe5853008, /* str r3, [r5, #8] */
    0xe5853010, /* str r3, [r5, #16] */
    0xe59f307c, /* ldr r3, [pc, #124] @ 809c <abort+0x1c> */
    0xe5853024, /* str r3, [r5, #36] */
    0xe59f3078, /* ldr r3, [pc, #120] @ 80a0 <abort+0x20> */
    0xe5853028, /* str r3, [r5, #40] */
    0xe59f3074, /* ldr r3, [pc, #116] @ 80a4 <abort+0x24> */
    0xe5853030, /* str r3, [r5, #48] */
    0xe7f000f7, /* udf #7 */
    0xef000005, /* svc 0x00000005 */
    0xe59f0068, /* ldr r0, [pc, #104] @ 80a8 <abort+0x28> */
    0xee020f10, /* mcr 15, 0, r0, cr2, cr0, {0} */
    0xe3a00001, /* mov r0, #1 */
    0xee030f10, /* mcr 15, 0, r0, cr3, cr0, {0} */
    0xee111f10, /* mrc 15, 0, r1, cr1, cr0, {0} */
    0xe3811001, /* orr r1, r1, #1 */
    0xee011f10, /* mcr 15, 0, r1, cr1, cr0, {0} */
    0xe59f0050, /* ldr r0, [pc, #80] @ 80ac <abort+0x2c> */
    0xe5901000, /* ldr r1, [r0] */
    0xeafffffe, /* b 805c <end> */
    0xe584e000, /* str lr, [r4] */
    0xe14f0000, /* mrs r0, SPSR */
    0xe5840004, /* str r0, [r4, #4] */
    0xe1b0f00e, /* movs pc, lr */
    0xe584e008, /* str lr, [r4, #8] */
    0xe10f0000, /* mrs r0, CPSR */
    0xe584000c, /* str r0, [r4, #12] */
    0xe1b0f00e, /* movs pc, lr */
    0xe584e010, /* str lr, [r4, #16] */
    0xee150f10, /* mrc 15, 0, r0, cr5, cr0, {0} */
    0xe5840014, /* str r0, [r4, #20] */
    0xee160f10, /* mrc 15, 0, r0, cr6, cr0, {0} */
    0xe5840018, /* str r0, [r4, #24] */
    0xe25ef004, /* subs pc, lr, #4 */
    0xe59ff018, /* .word 0xe59ff018 */
    0x00008060, /* .word 0x00008060 */
    0x00008070, /* .word 0x00008070 */
    0x00008080, /* .word 0x00008080 */
    0x00004000, /* .word 0x00004000 */
    0x70000124, /* .word 0x70000124 */
};

static const uint32_t cores_program[] = {
    0xe3a00101, /* mov r0, #1073741824 */
    0xe59f1020, /* ldr r1, [pc, #32] @ 802c <end+0x8> */
    0xe580109c, /* str r1, [r0, #156] */
    0xe58010ac, /* str r1, [r0, #172] */
    0xe58010bc, /* str r1, [r0, #188] */
    0xee102fb0, /* mrc 15, 0, r2, cr0, cr0, {5} */
    0xe3a04a09, /* mov r4, #36864 */
    0xe2023003, /* and r3, r2, #3 */
    0xe7842103, /* str r2, [r4, r3, lsl #2] */
    0xe320f003, /* wfi */
    0xeafffffd, /* b 8024 <end> */
    0x00008014, /* .word 0x00008014 */
};

static const uint32_t wide_program[] = {
    0xd2920004, /* mov x4, #0x9000 */
    0xd5384240, /* mrs x0, currentel */
    0xf9000080, /* str x0, [x4] */
    0x10003fa0, /* adr x0, 80800 <vectors> */
    0xd518c000, /* msr vbar_el1, x0 */
    0xd51cc000, /* msr vbar_el2, x0 */
    0xd2b00000, /* mov x0, #0x80000000 */
    0xd51c1100, /* msr hcr_el2, x0 */
    0xd28078a0, /* mov x0, #0x3c5 */
    0xd51c4000, /* msr spsr_el2, x0 */
    0x10000060, /* adr x0, 80034 <level1> */
    0xd51c4020, /* msr elr_el2, x0 */
    0xd69f03e0, /* eret */
    0xd5384240, /* mrs x0, currentel */
    0xf9000480, /* str x0, [x4, #8] */
    0xd28a0000, /* mov x0, #0x5000 */
    0x9100001f, /* mov sp, x0 */
    0xd2800000, /* mov x0, #0x0 */
    0xd5184000, /* msr spsr_el1, x0 */
    0x10000060, /* adr x0, 80058 <level0> */
    0xd5184020, /* msr elr_el1, x0 */
    0xd69f03e0, /* eret */
    0xd4000121, /* svc #0x9 */
    0xd4000141, /* svc #0xa */
};

static const uint32_t wide_vector_program[] = {
    0xd5385201, /* mrs x1, esr_el1 */
    0xf9000881, /* str x1, [x4, #16] */
    0xd5384021, /* mrs x1, elr_el1 */
    0xf9000c81, /* str x1, [x4, #24] */
    0x910003e1, /* mov x1, sp */
    0xf9001081, /* str x1, [x4, #32] */
    0x92401c22, /* and x2, x1, #0xff */
    0xd53be041, /* mrs x1, cntvct_el0 */
    0xf9001481, /* str x1, [x4, #40] */
    0xd53800a1, /* mrs x1, mpidr_el1 */
    0xf9001881, /* str x1, [x4, #48] */
    0xd5385201, /* mrs x1, esr_el1 */
    0x92401c21, /* and x1, x1, #0xff */
    0xf100283f, /* cmp x1, #0xa */
    0x54000040, /* b.eq 80c40 <end> */
    0xd69f03e0, /* eret */
    0x14000000, /* b 80c40 <end> */
};

/* Stores an instruction to 0x20000 again and again, executes it, and changes it. */
static const uint32_t change_program[] = {
    0xe3a03802, /* mov r3, #131072 */
    0xe59f1050, /* ldr r1, [pc, #80] */
    0xe59f2050, /* ldr r2, [pc, #80] */
    0xe59f4050, /* ldr r4, [pc, #80] */
    0xe5831000, /* str r1, [r3] */
    0xe2544001, /* subs r4, r4, #1 */
    0x1afffffc, /* bne 10 <.text+0x10> */
    0xe5832004, /* str r2, [r3, #4] */
    0xe3a08a09, /* mov r8, #36864 */
    0xe12fff33, /* blx r3 */
    0xe5880000, /* str r0, [r8] */
    0xe2811001, /* add r1, r1, #1 */
    0xe5831000, /* str r1, [r3] */
    0xe12fff33, /* blx r3 */
    0xe5880004, /* str r0, [r8, #4] */
    0xe2811001, /* add r1, r1, #1 */
    0xe59f401c, /* ldr r4, [pc, #28] */
    0xe5831000, /* str r1, [r3] */
    0xe2544001, /* subs r4, r4, #1 */
    0x1afffffc, /* bne 44 <.text+0x44> */
    0xe12fff33, /* blx r3 */
    0xe5880008, /* str r0, [r8, #8] */
    0xeafffffe, /* b 58 <.text+0x58> */
    0xe3a00001, /* .word 0xe3a00001 */
    0xe12fff1e, /* .word 0xe12fff1e */
    0x00004e20, /* .word 0x00004e20 */
};

/* The same with 64 bits, at 0x200000. */
static const uint32_t wide_change_program[] = {
    0xd2a00403, /* mov x3, #0x200000 */
    0x180002c1, /* ldr w1, 5c <.text+0x5c> */
    0x180002c2, /* ldr w2, 60 <.text+0x60> */
    0x5289c404, /* mov w4, #0x4e20 */
    0xb9000061, /* str w1, [x3] */
    0x71000484, /* subs w4, w4, #0x1 */
    0x54ffffc1, /* b.ne 10 <.text+0x10> */
    0xb9000462, /* str w2, [x3, #4] */
    0xd2920008, /* mov x8, #0x9000 */
    0xd63f0060, /* blr x3 */
    0xb9000100, /* str w0, [x8] */
    0x11008021, /* add w1, w1, #0x20 */
    0xb9000061, /* str w1, [x3] */
    0xd63f0060, /* blr x3 */
    0xb9000500, /* str w0, [x8, #4] */
    0x11008021, /* add w1, w1, #0x20 */
    0x5289c404, /* mov w4, #0x4e20 */
    0xb9000061, /* str w1, [x3] */
    0x71000484, /* subs w4, w4, #0x1 */
    0x54ffffc1, /* b.ne 44 <.text+0x44> */
    0xd63f0060, /* blr x3 */
    0xb9000900, /* str w0, [x8, #8] */
    0x14000000, /* b 58 <.text+0x58> */
    0x52800020, /* .word 0x52800020 */
    0xd65f03c0, /* .word 0xd65f03c0 */
};

/* Core 0 changes an instruction that core 1 has executed, at 0x20000, and invalidates a line of the
 * instruction cache. */
static const uint32_t line_program[] = {
    0xe3a03802, /* mov r3, #131072 */
    0xe59f106c, /* ldr r1, [pc, #108] */
    0xe59f206c, /* ldr r2, [pc, #108] */
    0xe5831000, /* str r1, [r3] */
    0xe5832004, /* str r2, [r3, #4] */
    0xe3a08a09, /* mov r8, #36864 */
    0xe59f4060, /* ldr r4, [pc, #96] */
    0xe28f5024, /* add r5, pc, #36 */
    0xe5845000, /* str r5, [r4] */
    0xe5986010, /* ldr r6, [r8, #16] */
    0xe3560001, /* cmp r6, #1 */
    0x1afffffc, /* bne 24 <second-0x24> */
    0xe2811001, /* add r1, r1, #1 */
    0xe5831000, /* str r1, [r3] */
    0xee073f35, /* mcr 15, 0, r3, cr7, cr5, {1} */
    0xe3a06001, /* mov r6, #1 */
    0xe5886014, /* str r6, [r8, #20] */
    0xeafffffe, /* b 44 <second-0x4> */
    0xe3a03802, /* mov r3, #131072 */
    0xe3a08a09, /* mov r8, #36864 */
    0xe12fff33, /* blx r3 */
    0xe5880000, /* str r0, [r8] */
    0xe3a06001, /* mov r6, #1 */
    0xe5886010, /* str r6, [r8, #16] */
    0xe5986014, /* ldr r6, [r8, #20] */
    0xe3560001, /* cmp r6, #1 */
    0x1afffffc, /* bne 60 <second+0x18> */
    0xe12fff33, /* blx r3 */
    0xe5880004, /* str r0, [r8, #4] */
    0xeafffffe, /* b 74 <second+0x2c> */
    0xe3a00001, /* .word 0xe3a00001 */
    0xe12fff1e, /* .word 0xe12fff1e */
    0x4000009c, /* .word 0x4000009c */
};

/* Waits for two events of the timer's event stream, and stores the count after each. The
 * second instruction selects the stream. */
static const uint32_t stream_program[] = {
    0xe3a05a09, /* mov r5, #36864 */
    0xe3a00074, /* mov r0, #116 */
    0xee0e0f11, /* mcr 15, 0, r0, cr14, cr1, {0} */
    0xe320f002, /* wfe */
    0xec521f0e, /* mrrc 15, 0, r1, r2, cr14 */
    0xe5851000, /* str r1, [r5] */
    0xe320f002, /* wfe */
    0xec521f0e, /* mrrc 15, 0, r1, r2, cr14 */
    0xe5851004, /* str r1, [r5, #4] */
    0xeafffffe, /* b 8024 <end> */
};

static const uint32_t wide_stream_program[] = {
    0xd2920005, /* mov x5, #0x9000 */
    0xd2800e80, /* mov x0, #0x74 */
    0xd518e100, /* msr cntkctl_el1, x0 */
    0xd503205f, /* wfe */
    0xd53be021, /* mrs x1, cntpct_el0 */
    0xb90000a1, /* str w1, [x5] */
    0xd503205f, /* wfe */
    0xd53be021, /* mrs x1, cntpct_el0 */
    0xb90004a1, /* str w1, [x5, #4] */
    0x14000000, /* b 80024 <end> */
};

/* clang-format on */

#endif
