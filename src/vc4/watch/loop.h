/* SPDX-License-Identifier: MIT */
/* loop.h - analysis of a QPU program that does not end: its loop, the branch of the loop, and the
 * registers that never change in the loop. */
#ifndef VC4_WATCH_LOOP_H
#define VC4_WATCH_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vc4/memory/bus.h"

struct loop {
    uint32_t first, last; /* addresses of the first instruction and the branch's last delay slot */
    uint32_t branch;      /* address of the branch back to first */
};

/* Finds a loop that contains the instruction at pc: the smallest loop that cannot end, or the
 * smallest loop if all loops can end. Returns false if the instruction is in no loop whose branch
 * has a fixed target. */
bool loop_find(struct bus *bus, uint32_t pc, struct loop *loop);

/* Writes the condition of the loop's branch and the origin of its flags as text: "this branch goes
 * back while any Z flag is clear; the flags come from ...". */
void loop_describe(struct bus *bus, const struct loop *loop, char *text, size_t size);

#endif
