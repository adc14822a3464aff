/* SPDX-License-Identifier: MIT */
/* start.S - the first instructions of a kernel, and its exception vectors.
 *
 * The firmware loads the kernel to 0x8000 and jumps to its first byte, with caches and MMU off. */
.section .start, "ax"
.global _start
_start:
    mrs r0, cpsr                    @ newer firmware starts a Pi 2 or 3 in hypervisor mode
    and r1, r0, #0x1f
    cmp r1, #0x1a
    bne supervisor
    bic r0, r0, #0x1f
    orr r0, r0, #0xd3               @ supervisor mode, without interrupts
    adr r1, supervisor
.arch armv7ve
    msr spsr_cxsf, r0
    msr elr_hyp, r1
    eret
.arch armv6k
.arch_extension sec
.fpu vfpv2

supervisor:
    cpsid if, #0x12                 @ a stack for interrupts
    ldr sp, =interrupt_stack_top
    cpsid if, #0x13                 @ and one for the rest
    ldr sp, =stack_top
    ldr r0, =vectors
    mcr p15, 0, r0, c12, c0, 0      @ vector base address

    mrc p15, 0, r0, c1, c0, 2       @ allow the floating-point unit, and turn it on
    orr r0, r0, #0xf00000
    mcr p15, 0, r0, c1, c0, 2
    mov r0, #0
    mcr p15, 0, r0, c7, c5, 4       @ the access right applies from here
    mov r0, #0x40000000
    fmxr fpexc, r0

    ldr r0, =bss_start
    ldr r1, =bss_end
    mov r2, #0
1:  cmp r0, r1
    strlo r2, [r0], #4
    blo 1b

    bl main
.global halt
halt:
    cpsid if
1:  bl wait_for_interrupt
    b 1b

/* Waits until an interrupt is pending, even if interrupts are off. An ARM1176 waits at the first
 * instruction, later cores at the second; for the other kind each is a NOP. */
.global wait_for_interrupt
wait_for_interrupt:
    mov r0, #0
    mcr p15, 0, r0, c7, c10, 4      @ all writes have reached memory or their peripheral
    mcr p15, 0, r0, c7, c0, 4
    .word 0xe320f003                @ wfi
    bx lr

.balign 32
vectors:
    b exception
    b exception
    b exception
    b exception
    b exception
    b exception
    b interrupt_entry
    b exception

exception:
    ldr sp, =stack_top
    mov r0, lr
    bl report_exception
    b halt

interrupt_entry:
    sub lr, lr, #4
    push {r0-r3, r12, lr}
    bl interrupt
    ldm sp!, {r0-r3, r12, pc}^      @ also restores the mode

/* A kernel that uses interrupts has its own function with this name. */
.weak interrupt
interrupt:
    bx lr

.section .bss
.balign 8
    .space 4096
interrupt_stack_top:
    .space 65536
stack_top:
