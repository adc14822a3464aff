/* SPDX-License-Identifier: MIT */
/* units.h - executes fetch instructions: their operands and results. The fetch units are in
 * fetch.h.
 *
 * In:      fetches, and the lanes that execute them.
 * Out:     registers; findings for the errors of the units.
 * Source:  docs/hardware/a2xx.md, sections 14 and 15. */
#ifndef A2XX_UNITS_H
#define A2XX_UNITS_H

#include "a2xx/machine.h"

/* Executes the fetch in a slot for these lanes, which must have passed its predicate. */
void a2xx_run_fetch(struct a2xx_machine *machine, uint32_t slot, a2xx_mask lanes);

#endif
