/* SPDX-License-Identifier: MIT */
/* run_a64.S - run_on_stack() calls a function on another stack. Arguments: the end of the stack,
 * the function, its argument. */
    .text
    .globl run_on_stack
    .hidden run_on_stack
    .type run_on_stack, %function
run_on_stack:
    .cfi_startproc
    stp x29, x30, [sp, #-16]!
    .cfi_def_cfa_offset 16
    .cfi_offset 29, -16
    .cfi_offset 30, -8
    mov x29, sp
    .cfi_def_cfa_register 29
    mov sp, x0
    mov x0, x2
    blr x1
    mov sp, x29
    .cfi_def_cfa_register 31
    ldp x29, x30, [sp], #16
    .cfi_restore 29
    .cfi_restore 30
    .cfi_def_cfa_offset 0
    ret
    .cfi_endproc
    .size run_on_stack, . - run_on_stack

    .section .note.GNU-stack, "", %progbits
