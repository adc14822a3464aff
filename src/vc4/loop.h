/* SPDX-License-Identifier: MIT */
/* loop.h - why a QPU program does not end: the loop that it is in, its branch, and what never changes there. */
#ifndef VC4_LOOP_H
#define VC4_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vc4/bus.h"

struct loop {
    uint32_t first, last; /* addresses of its instructions, the branch's delay slots included */
    uint32_t branch;
};

/* Finds the loop around an instruction: the smallest whose end cannot come, else the smallest. False if no branch with a
 * fixed target goes back over it. */
bool loop_find(struct bus *bus, uint32_t pc, struct loop *loop);

/* "this branch goes back while any Z flag is clear; the flags come from ...": what is known of its end. */
void loop_describe(struct bus *bus, const struct loop *loop, char *text, size_t size);

#endif
