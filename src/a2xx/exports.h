/* SPDX-License-Identifier: MIT */
/* exports.h - where exports go: the user's arrays, and memory.
 *
 * Memory is written at the end of a run, lane by lane: so it does not depend on threads, and the run's own fetches do not see
 * it yet (a choice). */
#ifndef A2XX_EXPORTS_H
#define A2XX_EXPORTS_H

#include "a2xx/machine.h"

/* The lanes' exports to memory since the last ALLOC are complete. */
void a2xx_commit_memory(struct a2xx_machine *machine, a2xx_mask lanes);

/* All lanes of the group of 64 have ended: their exports go to the batch's arrays. */
void a2xx_write_exports(struct a2xx_machine *machine);

/* Puts the memory exports of the last group of 64, which begin at `from`, into the order of lanes. */
void a2xx_sort_writes(struct a2xx_memory_writes *writes, size_t from);

#endif
