/* SPDX-License-Identifier: MIT */
/* cpu.h - executes instructions of the host's processor that access registers of peripherals.
 * cpu_x86.c and cpu_a64.c implement it. follow_x86.c implements cpu_follow(), and careful_x86.c
 * implements cpu_catch(); on other processors, follow_none.c implements both functions. */
#ifndef VCIO_CPU_H
#define VCIO_CPU_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include "access.h"

enum { CPU_LENGTH = 15 }; /* maximum length of an instruction, in bytes */

enum cpu_result {
    /* executed; *context is at the next instruction, or at the same one if it has to be repeated */
    CPU_DONE,
    CPU_REFUSED, /* not executed: the instruction is not supported; step->reason is the reason */
    CPU_FAULT,   /* not executed: the program may not access the memory at step->address */
};

/* Bytes that the instruction pushes on the stack. The caller writes them last, because they may
 * overwrite the signal frame. */
struct cpu_push {
    uintptr_t address;
    size_t size; /* number of bytes, 0 if nothing is pushed */
    uint8_t bytes[8];
};

struct cpu_step {
    /* for CPU_REFUSED, the reason, as the end of a sentence that starts with "..., but" */
    const char *reason;
    uintptr_t address; /* for CPU_FAULT, the address of the access */
    struct cpu_push push;
};

/* Executes the instruction at *context. The instruction's memory accesses go through access.h.
 * `code` is the code page of a fault stack (fault_stacks.h). */
enum cpu_result cpu_step(ucontext_t *context, void *code, struct cpu_step *step);

/* A run of instructions that one fault executes. */
struct cpu_following {
    void *notes;   /* FAULT_STACK_NOTES bytes of a fault stack, zero at first */
    unsigned most; /* highest number of instructions */
    /* The handler's frames on the stack on which the handler has started are above this address. */
    uintptr_t low;
    /* access_kind(), access_open(), access_read_registers() and access_write_registers() of
     * access.h */
    enum access_kind (*kind)(uintptr_t address, size_t size, bool reads, bool writes,
                             uint32_t *offset);
    void (*open)(void);
    void (*read)(uint32_t offset, void *bytes, size_t size);
    void (*write)(uint32_t offset, const void *bytes, size_t size);
};

/* Executes instructions at *context, one after the other, while they are simple enough and their
 * accesses are permitted. Stops before any other instruction, which the processor then executes
 * after the handler. Returns the number of executed instructions, which may be 0. */
unsigned cpu_follow(ucontext_t *context, const struct cpu_following *following);

/* Called first by the handler of SIGSEGV. Returns true for a signal that interrupted an access of
 * cpu_follow() to ordinary memory. The handler then returns. */
bool cpu_catch(int number, siginfo_t *info, ucontext_t *context);

/* True if cpu_step() needs the code page. */
bool cpu_needs_code(void);

/* cpu_push() writes the pushed bytes. Before that, it moves the part of the signal frame that the
 * bytes would overwrite to `spare`. `spare` is on the handler's stack and has cpu_frame_size()
 * bytes. */
size_t cpu_frame_size(const ucontext_t *context);
void cpu_push(ucontext_t *context, const struct cpu_push *push, void *spare);

/* Returns the address of the instruction at *context. */
uintptr_t cpu_place(const ucontext_t *context);

/* cpu_code() copies the bytes of the instruction at *context and returns the number of bytes.
 * cpu_describe() writes the instruction as text. The text is empty if the shim has no
 * disassembler. */
size_t cpu_code(const ucontext_t *context, uint8_t bytes[CPU_LENGTH]);
void cpu_describe(const ucontext_t *context, char *text, size_t size);

/* Returns 1 if the faulting access was a write, 0 if it was a read, or -1 if unknown. */
int cpu_fault_writes(const ucontext_t *context);

/* Calls function(argument) on another stack. */
void cpu_call_on(void *stack_end, void (*function)(void *argument), void *argument);

#endif
