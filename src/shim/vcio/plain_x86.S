/* SPDX-License-Identifier: MIT */
/* plain_x86.S - operations of plain instructions, executed by the host's processor, and a copy that
 * may fault.
 *
 * In:  struct plain_alu of plain_x86.h; addresses.
 * Out: the result in `a`, and the flags. */
#include "plain_x86.h"

#if defined __x86_64__
#define WORD 8
#define AX %rax
#define CX %rcx
#define DX %rdx
#define ARGUMENT mov %rdi, %rdx
#else
#define WORD 4
#define AX %eax
#define CX %ecx
#define DX %edx
#define ARGUMENT mov 4(%esp), %edx
#endif

    .text
    .globl plain_slots
    .hidden plain_slots
    .balign PLAIN_SLOT
plain_slots:

/* A slot: loads the flags and the operands, executes the instruction, and stores the results. */
.macro SLOT code:vararg
    .balign PLAIN_SLOT
    ARGUMENT
    push PLAIN_FLAGS * WORD(DX)
    popf
    mov PLAIN_A * WORD(DX), AX
    mov PLAIN_B * WORD(DX), CX
    \code
    mov AX, PLAIN_A * WORD(DX)
    pushf
    pop PLAIN_FLAGS * WORD(DX)
    ret
.endm

#if defined __x86_64__
#define WIDE_SLOT(...) SLOT __VA_ARGS__
#else
#define WIDE_SLOT(...) SLOT nop
#endif

.macro BINARY name
    SLOT \name\()b %cl, %al
    SLOT \name\()w %cx, %ax
    SLOT \name\()l %ecx, %eax
    WIDE_SLOT(\name\()q %rcx, %rax)
.endm

.macro UNARY name
    SLOT \name\()b %al
    SLOT \name\()w %ax
    SLOT \name\()l %eax
    WIDE_SLOT(\name\()q %rax)
.endm

.macro SHIFT name
    SLOT \name\()b %cl, %al
    SLOT \name\()w %cl, %ax
    SLOT \name\()l %cl, %eax
    WIDE_SLOT(\name\()q %cl, %rax)
.endm

/* Operations without an instruction for bytes. */
.macro BINARY_WIDER name
    SLOT nop
    SLOT \name\()w %cx, %ax
    SLOT \name\()l %ecx, %eax
    WIDE_SLOT(\name\()q %rcx, %rax)
.endm

    BINARY add
    BINARY or
    BINARY adc
    BINARY sbb
    BINARY and
    BINARY sub
    BINARY xor
    BINARY test
    UNARY inc
    UNARY dec
    UNARY neg
    UNARY not
    SHIFT shl
    SHIFT shr
    SHIFT sar
    BINARY_WIDER imul
    BINARY_WIDER bt

    .globl plain_copy
    .hidden plain_copy
    .type plain_copy, @function
    .globl plain_copy_start
    .hidden plain_copy_start
    .globl plain_copy_end
    .hidden plain_copy_end
    .globl plain_copy_failed
    .hidden plain_copy_failed

#if defined __x86_64__
#define TO   %rdi
#define FROM %rsi
#define SIZE %edx
#define LEAVE
plain_copy:
#else
#define TO   %edi
#define FROM %esi
#define SIZE %edx
#define LEAVE pop %edi; pop %esi
plain_copy:
    push %esi
    push %edi
    mov 12(%esp), %edi
    mov 16(%esp), %esi
    mov 20(%esp), %edx
    mov 24(%esp), %ecx
#endif
plain_copy_start:
    cmpb $0, (CX)
    je plain_copy_failed
    cmp $2, SIZE
    jb 1f
    je 2f
    cmp $4, SIZE
    je 4f
#if defined __x86_64__
    mov (%rsi), %rax
    mov %rax, (%rdi)
    jmp 5f
#endif
4:  mov (FROM), %eax
    mov %eax, (TO)
    jmp 5f
2:  mov (FROM), %ax
    mov %ax, (TO)
    jmp 5f
1:  mov (FROM), %al
    mov %al, (TO)
plain_copy_end:
5:  mov $1, %eax
    LEAVE
    ret
plain_copy_failed:
    xor %eax, %eax
    LEAVE
    ret
    .size plain_copy, . - plain_copy

    .section .note.GNU-stack, "", @progbits
