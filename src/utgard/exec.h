/* SPDX-License-Identifier: MIT */
/* exec.h - the engine: runs a decoded program for up to GP_LANES vertices.
 *
 * In:      a machine with its program, rows and batch.
 * Out:     varyings in memory, statistics, findings. The same bits as if each vertex ran alone.
 * Source:  digest utgard.md, sections 6 and 10. */
#ifndef UTGARD_EXEC_H
#define UTGARD_EXEC_H

#include "utgard/machine.h"

/* Makes a machine; release it with gp_machine_free(). NULL: no memory. */
struct gp_machine *gp_machine_create(void);
void gp_machine_free(struct gp_machine *machine); /* NULL is allowed */

/* Gives the machine a program, and rows as they are now. False: no memory. */
bool gp_machine_load(struct gp_machine *machine, const struct gp_code *code,
                     const float (*rows)[4]);

/* Runs `count` vertices of the batch, 1 to GP_LANES, from first on. */
void gp_run_lanes(struct gp_machine *machine, size_t first, unsigned count);

#endif
