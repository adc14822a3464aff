/* SPDX-License-Identifier: MIT */
/* exec.h - runs a program for up to 64 lanes (vertices or pixels) in parallel.
 *
 * In:      a decoded program, and initial registers from a batch.
 * Out:     exports, memory, counters, findings.
 * Source:  docs/hardware/a2xx.md, sections 1 and 4. */
#ifndef A2XX_SHADER_EXEC_H
#define A2XX_SHADER_EXEC_H

#include "a2xx/shader/batch.h"

/* Creates a machine. The caller frees it with a2xx_machine_free(). Returns NULL if the host is
 * out of memory. */
struct a2xx_machine *a2xx_machine_create(void);
void a2xx_machine_free(struct a2xx_machine *machine);

/* Runs `count` lanes of the machine's batch, starting at lane `first`. count is at most 64. Returns
 * false if machine->watch has set machine->stop before the lanes have ended. */
bool a2xx_run_lanes(struct a2xx_machine *machine, size_t first, unsigned count);

/* Continues the lanes after a2xx_run_lanes() or a2xx_resume_lanes() has returned false. Returns the
 * same values. The caller has set machine->stop to false. */
bool a2xx_resume_lanes(struct a2xx_machine *machine);

#endif
