/* SPDX-License-Identifier: MIT */
/* fault_stacks.h - fault stacks: a stack for the handler of faults, since the thread's own may be small,
 * and a page for code. */
#ifndef VCIO_PLACES_H
#define VCIO_PLACES_H

#include <stdbool.h>
#include <stddef.h>

enum { PLACE_STACK = 4 << 20, PLACE_CODE = 4096 };

struct place {
    struct place *next; /* list of free fault stacks */
    char *stack_end;
    void *code; /* PLACE_CODE bytes, writable and executable, or NULL if the processor needs none */
};

/* Takes a free fault stack, or returns NULL if there is no memory. All signals must be blocked
 * until it is returned with place_give(). */
struct place *place_take(bool with_code);
void place_give(struct place *place);

#endif
