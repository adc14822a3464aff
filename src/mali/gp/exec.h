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

/* Prepares a new machine for a stopped vertex, whose state the caller fills in: one group, and
 * memory for temporaries if `temporaries` is true. Returns false if the host is out of memory. */
bool gp_machine_prepare(struct gp_machine *machine, bool temporaries);

/* Sets all attributes, registers, varyings and address registers to 0. Programs do not depend on
 * earlier values, but traces and saved states have them. */
void gp_machine_clear(struct gp_machine *machine);

/* Runs `count` vertices of the batch, 1 to GP_LANES, starting at `first`. */
void gp_run_lanes(struct gp_machine *machine, size_t first, unsigned count);

/* Stops the run after the current instruction; for machine->watch. The run has ended anyway if no
 * group is left. */
void gp_stop_lanes(struct gp_machine *machine);

/* Continues a stopped run. */
void gp_resume_lanes(struct gp_machine *machine);

#endif
