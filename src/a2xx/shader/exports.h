/* SPDX-License-Identifier: MIT */
/* exports.h - writes exports to the batch's arrays and to memory.
 *
 * Memory is written at the end of a run, in the order of lanes. The result therefore does not
 * depend on the number of host threads, and the fetches of a run do not see the run's own memory
 * exports (a choice). */
#ifndef A2XX_SHADER_EXPORTS_H
#define A2XX_SHADER_EXPORTS_H

#include "a2xx/shader/batch.h"

/* Completes the memory exports that the lanes have made since the last ALLOC. */
void a2xx_commit_memory(struct a2xx_machine *machine, a2xx_mask lanes);

/* Copies the exports of all 64 lanes to the batch's arrays, after all lanes have ended. */
void a2xx_write_exports(struct a2xx_machine *machine);

/* Sorts the memory exports of the last 64 lanes by lane. These exports begin at index `from` of the
 * list. */
void a2xx_sort_writes(struct a2xx_memory_writes *writes, size_t from);

#endif
