/* SPDX-License-Identifier: MIT */
/* units.h - executes fetch instructions: reads their operands, calls the fetch units (fetch.h), and
 * writes the results.
 *
 * In:      fetches, and the lanes that execute them.
 * Out:     registers; findings for the errors of the units.
 * Source:  docs/hardware/a2xx.md, sections 14 and 15. */
#ifndef A2XX_SHADER_UNITS_H
#define A2XX_SHADER_UNITS_H

#include "a2xx/shader/batch.h"

/* Executes the fetch in a slot for the given lanes. The caller has checked the fetch's
 * predicate. */
void a2xx_run_fetch(struct a2xx_machine *machine, uint32_t slot, a2xx_mask lanes);

#endif
