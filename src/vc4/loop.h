/* SPDX-License-Identifier: MIT */
/* loop.h - analysis of a QPU program that does not end: its loop, the branch of the loop, and the
 * registers that never change in the loop. */
#ifndef VC4_LOOP_H
#define VC4_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vc4/bus.h"

struct loop {
    /* addresses of its first and last instruction, delay slots of the branch included */
    uint32_t first, last;
    uint32_t branch;
};

/* Finds the loop around an instruction: the smallest loop that cannot end, or otherwise the
 * smallest loop. Returns false if no branch with a fixed target goes back over the instruction. */
bool loop_find(struct bus *bus, uint32_t pc, struct loop *loop);

/* Writes the condition of the loop's branch and the origin of its flags as text: "this branch goes
 * back while any Z flag is clear; the flags come from ...". */
void loop_describe(struct bus *bus, const struct loop *loop, char *text, size_t size);

#endif
