/* SPDX-License-Identifier: MIT */
/* run_x86.h - runs one instruction with the registers of another context. The assembler includes
 * this file, too (run_x86.S). */
#ifndef VCIO_RUN_X86_H
#define VCIO_RUN_X86_H

/* Offsets in struct run. Every member has eight bytes. 32-bit processors use the lower four. */
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
    uint64_t gpr[16]; /* registers, numbered as in ModRM and REX */
    uint64_t flags;   /* flags that an application may change */
    uint64_t host_sp;
    uint64_t fp; /* address of FXSAVE's or XSAVE's area, aligned */
    /* 32-bit: address of FSAVE's area, which is before the area at `fp`; otherwise 0 */
    uint64_t legacy;
    uint64_t back; /* address to which the code jumps at its end (run_back) */
    /* Address of the code. When the code starts, DI points to this struct. The code first loads DI
     * from gpr[7]. At its end, the code stores DI there, loads DI with the address of this struct,
     * and jumps to `back`. */
    uint64_t entry;
    uint64_t features; /* mask of the XSAVE components to load and store */
    uint64_t extended; /* nonzero if the area at `fp` is XSAVE's */
    uint64_t host_fp;  /* MXCSR and x87 control word of the caller */
};

/* Loads the registers from *run, jumps to run->entry, and stores the registers in *run when the
 * code jumps to run_back. */
void run_x86(struct run *run);

/* Calls function(argument) with the stack pointer set to `end`, which must be aligned. */
void run_on_stack(void *end, void (*function)(void *), void *argument);

/* Address to which the code jumps at its end. It is not a function. */
extern const char run_back[];
#endif

#endif
