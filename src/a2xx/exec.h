/* SPDX-License-Identifier: MIT */
/* exec.h - runs a program for up to 64 lanes side by side.
 *
 * In:      a decoded program, and the registers that a batch gives.
 * Out:     exports, memory, counts, findings.
 * Source:  digest a2xx.md, sections 1 and 4. */
#ifndef A2XX_EXEC_H
#define A2XX_EXEC_H

#include "a2xx/machine.h"

/* NULL: no memory. */
struct a2xx_machine *a2xx_machine_create(void);
void a2xx_machine_free(struct a2xx_machine *machine);

/* Runs lanes of the machine's batch from `first` on, 64 at most. */
void a2xx_run_lanes(struct a2xx_machine *machine, size_t first, unsigned count);

#endif
