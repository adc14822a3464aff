/* SPDX-License-Identifier: MIT */
/* context_x86.h - general registers in the context of a signal. */
#ifndef VCIO_CONTEXT_X86_H
#define VCIO_CONTEXT_X86_H

#include <stdint.h>
#include <ucontext.h>

enum { CONTEXT_GPRS = sizeof(void *) == 8 ? 16 : 8, CONTEXT_IP = 16 };

/* Returns the address of a register, numbered as in ModRM and REX, or of the instruction pointer
 * (CONTEXT_IP). */
static inline uintptr_t *context_gpr(ucontext_t *context, int number)
{
#if defined __x86_64__
    static const int places[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                 REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                 REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
#else
    static const int places[] = {[0] = REG_EAX, REG_ECX, REG_EDX,
                                 REG_EBX,       REG_ESP, REG_EBP,
                                 REG_ESI,       REG_EDI, [CONTEXT_IP] = REG_EIP};
#endif

    return (uintptr_t *)&context->uc_mcontext.gregs[places[number]];
}

#endif
