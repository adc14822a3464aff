/* SPDX-License-Identifier: MIT */
/* places.h - where faults are handled: a stack, since the thread's own may be small, and a page for code. */
#ifndef VCIO_PLACES_H
#define VCIO_PLACES_H

#include <stdbool.h>
#include <stddef.h>

enum { PLACE_STACK = 4 << 20, PLACE_CODE = 4096 };

struct place {
    struct place *next; /* free ones */
    char *stack_end;
    void *
        code; /* PLACE_CODE bytes that may be written and executed; NULL: this machine needs none */
};

/* Takes a place that nobody uses; NULL: no memory. All signals must be blocked until it is given back. */
struct place *place_take(bool with_code);
void place_give(struct place *place);

#endif
