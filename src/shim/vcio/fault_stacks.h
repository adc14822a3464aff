/* SPDX-License-Identifier: MIT */
/* fault_stacks.h - a fault stack has a stack on which the handler of faults runs, because the
 * thread's own stack may be small, a page for code, and notes. */
#ifndef SHIM_VCIO_FAULT_STACKS_H
#define SHIM_VCIO_FAULT_STACKS_H

#include <stdbool.h>
#include <stddef.h>

enum { FAULT_STACK_STACK = 4 << 20, FAULT_STACK_CODE = 4096, FAULT_STACK_NOTES = 32 << 10 };

struct fault_stack {
    struct fault_stack *next; /* list of free fault stacks */
    char *stack_end;
    /* FAULT_STACK_CODE bytes that are writable and executable, or NULL if the processor does not
     * need a code page */
    void *code;
    /* FAULT_STACK_NOTES bytes, zero at first, for notes about instructions; NULL if `code` is */
    void *notes;
};

/* fault_stack_take() returns a free fault stack, or NULL if there is no memory. All signals must be
 * blocked until fault_stack_give() frees the fault stack. */
struct fault_stack *fault_stack_take(bool with_code);
void fault_stack_give(struct fault_stack *place);

#endif
