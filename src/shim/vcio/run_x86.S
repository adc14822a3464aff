/* SPDX-License-Identifier: MIT */
/* run_x86.S - loads the registers of another context, runs code with them, and stores them.
 *
 * In, out: struct run of run_x86.h. Its code jumps to run_back, with DI pointing to the struct.
 *
 * While the code runs, the stack pointer is that of the other context. So all signals are blocked,
 * and the code must not fault. */
#include "run_x86.h"

    .text
    .globl run_x86
    .hidden run_x86
    .type run_x86, @function
    .globl run_back
    .hidden run_back
    .globl run_on_stack
    .hidden run_on_stack
    .type run_on_stack, @function

#if defined __x86_64__
run_x86:
    pushq %rbx
    pushq %rbp
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    pushfq
    movq %rsp, RUN_HOST_SP(%rdi)
    stmxcsr RUN_HOST_FP(%rdi)
    fnstcw RUN_HOST_FP + 4(%rdi)
    movq RUN_FP(%rdi), %rcx
    movl RUN_FEATURES(%rdi), %eax
    xorl %edx, %edx
    cmpq $0, RUN_EXTENDED(%rdi)
    je 1f
    xrstor64 (%rcx)
    jmp 2f
1:  fxrstor64 (%rcx)
2:  pushq RUN_FLAGS(%rdi)
    popfq
    movq RUN_GPR + 0(%rdi), %rax
    movq RUN_GPR + 8(%rdi), %rcx
    movq RUN_GPR + 16(%rdi), %rdx
    movq RUN_GPR + 24(%rdi), %rbx
    movq RUN_GPR + 32(%rdi), %rsp
    movq RUN_GPR + 40(%rdi), %rbp
    movq RUN_GPR + 48(%rdi), %rsi
    movq RUN_GPR + 64(%rdi), %r8
    movq RUN_GPR + 72(%rdi), %r9
    movq RUN_GPR + 80(%rdi), %r10
    movq RUN_GPR + 88(%rdi), %r11
    movq RUN_GPR + 96(%rdi), %r12
    movq RUN_GPR + 104(%rdi), %r13
    movq RUN_GPR + 112(%rdi), %r14
    movq RUN_GPR + 120(%rdi), %r15
    jmpq *RUN_ENTRY(%rdi)
run_back:
    movq %rsp, RUN_GPR + 32(%rdi)
    movq RUN_HOST_SP(%rdi), %rsp
    pushfq
    popq RUN_FLAGS(%rdi)
    popfq
    movq %rax, RUN_GPR + 0(%rdi)
    movq %rcx, RUN_GPR + 8(%rdi)
    movq %rdx, RUN_GPR + 16(%rdi)
    movq %rbx, RUN_GPR + 24(%rdi)
    movq %rbp, RUN_GPR + 40(%rdi)
    movq %rsi, RUN_GPR + 48(%rdi)
    movq %r8, RUN_GPR + 64(%rdi)
    movq %r9, RUN_GPR + 72(%rdi)
    movq %r10, RUN_GPR + 80(%rdi)
    movq %r11, RUN_GPR + 88(%rdi)
    movq %r12, RUN_GPR + 96(%rdi)
    movq %r13, RUN_GPR + 104(%rdi)
    movq %r14, RUN_GPR + 112(%rdi)
    movq %r15, RUN_GPR + 120(%rdi)
    movq RUN_FP(%rdi), %rcx
    movl RUN_FEATURES(%rdi), %eax
    xorl %edx, %edx
    cmpq $0, RUN_EXTENDED(%rdi)
    je 3f
    xsave64 (%rcx)
    jmp 4f
3:  fxsave64 (%rcx)
4:  fninit
    ldmxcsr RUN_HOST_FP(%rdi)
    fldcw RUN_HOST_FP + 4(%rdi)
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbp
    popq %rbx
    retq
    .size run_x86, . - run_x86

run_on_stack:
    .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    movq %rdi, %rsp
    movq %rdx, %rdi
    call *%rsi
    leaveq
    .cfi_def_cfa %rsp, 8
    retq
    .cfi_endproc
    .size run_on_stack, . - run_on_stack

#elif defined __i386__
run_x86:
    movl 4(%esp), %ecx
    pushl %ebx
    pushl %ebp
    pushl %esi
    pushl %edi
    pushfl
    movl %ecx, %edi
    movl %esp, RUN_HOST_SP(%edi)
    stmxcsr RUN_HOST_FP(%edi)
    fnstcw RUN_HOST_FP + 4(%edi)
    movl RUN_FP(%edi), %ecx
    movl RUN_FEATURES(%edi), %eax
    xorl %edx, %edx
    cmpl $0, RUN_EXTENDED(%edi)
    je 1f
    xrstor (%ecx)
    jmp 2f
1:  fxrstor (%ecx)
2:  pushl RUN_FLAGS(%edi)
    popfl
    movl RUN_GPR + 0(%edi), %eax
    movl RUN_GPR + 8(%edi), %ecx
    movl RUN_GPR + 16(%edi), %edx
    movl RUN_GPR + 24(%edi), %ebx
    movl RUN_GPR + 32(%edi), %esp
    movl RUN_GPR + 40(%edi), %ebp
    movl RUN_GPR + 48(%edi), %esi
    jmpl *RUN_ENTRY(%edi)
run_back:
    movl %esp, RUN_GPR + 32(%edi)
    movl RUN_HOST_SP(%edi), %esp
    pushfl
    popl RUN_FLAGS(%edi)
    popfl
    movl %eax, RUN_GPR + 0(%edi)
    movl %ecx, RUN_GPR + 8(%edi)
    movl %edx, RUN_GPR + 16(%edi)
    movl %ebx, RUN_GPR + 24(%edi)
    movl %ebp, RUN_GPR + 40(%edi)
    movl %esi, RUN_GPR + 48(%edi)
    movl RUN_FP(%edi), %ecx
    movl RUN_FEATURES(%edi), %eax
    xorl %edx, %edx
    cmpl $0, RUN_EXTENDED(%edi)
    je 3f
    xsave (%ecx)
    jmp 4f
3:  fxsave (%ecx)
4:  movl RUN_LEGACY(%edi), %ecx
    testl %ecx, %ecx
    je 5f
    fnsave (%ecx)
5:  fninit
    ldmxcsr RUN_HOST_FP(%edi)
    fldcw RUN_HOST_FP + 4(%edi)
    popl %edi
    popl %esi
    popl %ebp
    popl %ebx
    retl
    .size run_x86, . - run_x86

run_on_stack:
    .cfi_startproc
    pushl %ebp
    .cfi_def_cfa_offset 8
    .cfi_offset %ebp, -8
    movl %esp, %ebp
    .cfi_def_cfa_register %ebp
    movl 8(%ebp), %esp
    subl $12, %esp
    pushl 16(%ebp)
    call *12(%ebp)
    leavel
    .cfi_def_cfa %esp, 4
    retl
    .cfi_endproc
    .size run_on_stack, . - run_on_stack
#endif

    .section .note.GNU-stack, "", @progbits
