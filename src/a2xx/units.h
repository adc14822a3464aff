/* SPDX-License-Identifier: MIT */
/* units.h - fetches as instructions: what they are given, and where their results go. The fetch units are behind fetch.h.
 *
 * In:      fetches, and the lanes that execute them.
 * Out:     registers; findings of what the units report.
 * Source:  digest a2xx.md, sections 14 and 15. */
#ifndef A2XX_UNITS_H
#define A2XX_UNITS_H

#include "a2xx/machine.h"

/* Executes the fetch in a slot for these lanes, whose predicate lets them. */
void a2xx_run_fetch(struct a2xx_machine *machine, uint32_t slot, a2xx_mask lanes);

#endif
