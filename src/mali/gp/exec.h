/* SPDX-License-Identifier: MIT */
/* exec.h - runs a decoded program for up to GP_LANES vertices in parallel.
 *
 * In:      a machine with its program, rows and batch.
 * Out:     varyings in memory, statistics, findings. The results are bit for bit the same as if
 *          each vertex ran alone.
 * Source:  docs/hardware/utgard.md, sections 6 and 10. */
#ifndef MALI_GP_EXEC_H
#define MALI_GP_EXEC_H

#include "mali/gp/batch.h"

/* Creates a machine. The caller frees it with gp_machine_free(). Returns NULL if the host is out
 * of memory. */
struct gp_machine *gp_machine_create(void);
void gp_machine_free(struct gp_machine *machine); /* machine may be NULL */

/* Loads a program, and copies the rows that it reads without an address register. Returns false
 * if the host is out of memory. code and rows must stay valid while the machine runs. */
bool gp_machine_load(struct gp_machine *machine, const struct gp_code *code,
                     const float (*rows)[4]);

/* Runs `count` vertices of the batch, 1 to GP_LANES, starting at `first`. */
void gp_run_lanes(struct gp_machine *machine, size_t first, unsigned count);

#endif
