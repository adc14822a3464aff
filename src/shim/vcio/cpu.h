/* SPDX-License-Identifier: MIT */
/* cpu.h - executes one instruction of the host that accesses registers: cpu_x86.c and cpu_a64.c. */
#ifndef VCIO_CPU_H
#define VCIO_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

enum { CPU_LENGTH = 15 }; /* maximum length of an instruction, in bytes */

enum cpu_result {
    CPU_DONE,    /* executed; *context points after the instruction, or at it again if it repeats */
    CPU_REFUSED, /* not executed: the instruction is not supported; .reason explains it */
    CPU_FAULT,   /* not executed: the program may not access the memory at .address */
};

/* Bytes that the instruction pushes. The caller writes them last, since the signal frame may be at
 * that address. */
struct cpu_push {
    uintptr_t address;
    size_t size; /* number of bytes, 0 if nothing is pushed */
    uint8_t bytes[8];
};

struct cpu_step {
    const char *reason; /* CPU_REFUSED: the reason, which continues the sentence "..., but" */
    uintptr_t address;  /* CPU_FAULT: address of the access */
    struct cpu_push push;
};

/* Executes the instruction at *context. Its accesses go through access.h. `code` is the code
 * page of a fault stack (fault_stacks.h). */
enum cpu_result cpu_step(ucontext_t *context, void *code, struct cpu_step *step);

/* True if cpu_step() needs the code page. */
bool cpu_needs_code(void);

/* cpu_push() writes the pushed bytes. First it moves the part of the signal frame that they would
 * overwrite to spare, which has cpu_frame_size() bytes on the handler's stack. */
size_t cpu_frame_size(const ucontext_t *context);
void cpu_push(ucontext_t *context, const struct cpu_push *push, void *spare);

/* Returns the address of the instruction at *context. */
uintptr_t cpu_place(const ucontext_t *context);

/* cpu_code() copies the instruction's bytes and returns their number. cpu_describe() writes the
 * instruction's text, which is empty if there is no disassembler. */
size_t cpu_code(const ucontext_t *context, uint8_t bytes[CPU_LENGTH]);
void cpu_describe(const ucontext_t *context, char *text, size_t size);

/* Returns 1 if the fault was a write, 0 if it was not, -1 if unknown. */
int cpu_fault_writes(const ucontext_t *context);

/* Calls function(argument) on another stack. */
void cpu_call_on(void *stack_end, void (*function)(void *argument), void *argument);

#endif
