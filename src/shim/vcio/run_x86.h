/* SPDX-License-Identifier: MIT */
/* run_x86.h - running one instruction with the registers of another context. Also for the assembler: run_x86.S. */
#ifndef VCIO_RUN_X86_H
#define VCIO_RUN_X86_H

/* Offsets into struct run. All cells have eight bytes; 32-bit machines use the lower four. */
#define RUN_GPR      0
#define RUN_FLAGS    128
#define RUN_HOST_SP  136
#define RUN_FP       144
#define RUN_LEGACY   152
#define RUN_BACK     160
#define RUN_ENTRY    168
#define RUN_FEATURES 176
#define RUN_EXTENDED 184
#define RUN_HOST_FP  192

#ifndef __ASSEMBLER__
#include <stdint.h>

struct run {
    uint64_t gpr[16]; /* numbered as in ModRM and REX */
    uint64_t flags;   /* only those that an application may change */
    uint64_t host_sp;
    uint64_t fp;     /* the area of FXSAVE or XSAVE that has the other registers; aligned */
    uint64_t legacy; /* 32-bit: the area of FSAVE before it, or 0 */
    uint64_t back;   /* where the code goes on: run_back */
    /* The code: it begins with loading DI from gpr[7] through it, and ends with storing it, loading DI with the
     * address of this struct and jumping to back. */
    uint64_t entry;
    uint64_t features; /* XSAVE: the components to load and store */
    uint64_t extended; /* whether it is XSAVE */
    uint64_t host_fp;  /* MXCSR and the x87 control word of the caller */
};

/* Loads all registers, jumps to entry, and stores them. */
void run_x86(struct run *run);

/* Calls function(argument) with the stack pointer at end, which is aligned. */
void run_on_stack(void *end, void (*function)(void *), void *argument);

/* Where the code comes back. Not a function. */
extern const char run_back[];
#endif

#endif
