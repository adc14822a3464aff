/* SPDX-License-Identifier: MIT */
/* cpu.h - carrying out one instruction of the host that accesses registers: cpu_x86.c and cpu_a64.c. */
#ifndef VCIO_CPU_H
#define VCIO_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

enum { CPU_LENGTH = 15 }; /* the most bytes that an instruction has */

enum cpu_result {
    CPU_DONE, /* the instruction is carried out, or a repeated one in part; *context is behind it, or at it again */
    CPU_REFUSED, /* it cannot be; nothing has happened. reason says why */
    CPU_FAULT,   /* it accesses what the program may not access, at address; nothing has happened */
};

/* Bytes that the instruction pushes. They go where the system may have put the context. */
struct cpu_push {
    uintptr_t address;
    size_t size; /* 0: none */
    uint8_t bytes[8];
};

struct cpu_step {
    const char *reason; /* CPU_REFUSED: "but ..." */
    uintptr_t address;  /* CPU_FAULT */
    struct cpu_push push;
};

/* Carries out the instruction at which *context stands. Its accesses go through access.h. code is the page of a place. */
enum cpu_result cpu_step(ucontext_t *context, void *code, struct cpu_step *step);

/* Whether cpu_step() needs that page. */
bool cpu_needs_code(void);

/* Moves what a push would overwrite out of its way, into cpu_frame_size() bytes of the handler's stack; and pushes. */
size_t cpu_frame_size(const ucontext_t *context);
void cpu_push(ucontext_t *context, const struct cpu_push *push, void *spare);

/* Where *context stands: the address of its instruction. */
uintptr_t cpu_place(const ucontext_t *context);

/* The instruction there: its bytes, and how many they are; and its text, which is empty where nobody can tell. */
size_t cpu_code(const ucontext_t *context, uint8_t bytes[CPU_LENGTH]);
void cpu_describe(const ucontext_t *context, char *text, size_t size);

/* Whether the fault was a write: 1, 0; -1: not known. */
int cpu_fault_writes(const ucontext_t *context);

/* Calls function(argument) on a stack of its own. */
void cpu_call_on(void *stack_end, void (*function)(void *argument), void *argument);

#endif
