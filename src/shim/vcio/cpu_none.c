/* SPDX-License-Identifier: MIT */
/* cpu_none.c - the functions of cpu.h for processors whose instructions the shim cannot execute.
 * The guard of GPU memory works, but accesses to registers are refused. */
#include "cpu.h"

#include <stdint.h>

enum cpu_result cpu_step(ucontext_t *context, void *code, struct cpu_step *step)
{
    (void)context, (void)code;
    step->reason = "this build of the shim cannot execute instructions (it needs x86 with the "
                   "Zydis library, or arm64)";
    return CPU_REFUSED;
}

bool cpu_needs_code(void)
{
    return false;
}

size_t cpu_frame_size(const ucontext_t *context)
{
    (void)context;
    return 0;
}

void cpu_push(ucontext_t *context, const struct cpu_push *push, void *spare)
{
    (void)context, (void)push, (void)spare;
}

uintptr_t cpu_place(const ucontext_t *context)
{
    (void)context;
    return 0;
}

size_t cpu_code(const ucontext_t *context, uint8_t bytes[CPU_LENGTH])
{
    (void)context, (void)bytes;
    return 0;
}

void cpu_describe(const ucontext_t *context, char *text, size_t size)
{
    (void)context, (void)size;
    text[0] = '\0';
}

int cpu_fault_writes(const ucontext_t *context)
{
    (void)context;
    return -1;
}

void cpu_call_on(void *stack_end, void (*function)(void *argument), void *argument)
{
    (void)stack_end;
    function(argument);
}
