/* SPDX-License-Identifier: MIT */
/* fault_stacks.h - fault stacks: a stack for the handler of faults, since the thread's own may
 * be small, and a page for code. */
#ifndef SHIM_VCIO_FAULT_STACKS_H
#define SHIM_VCIO_FAULT_STACKS_H

#include <stdbool.h>
#include <stddef.h>

enum { FAULT_STACK_STACK = 4 << 20, FAULT_STACK_CODE = 4096 };

struct fault_stack {
    struct fault_stack *next; /* list of free fault stacks */
    char *stack_end;
    /* FAULT_STACK_CODE bytes, writable and executable, or NULL if the processor needs no code */
    void *code;
};

/* Takes a free fault stack, or returns NULL if there is no memory. All signals must be blocked
 * until it is returned with fault_stack_give(). */
struct fault_stack *fault_stack_take(bool with_code);
void fault_stack_give(struct fault_stack *place);

#endif
