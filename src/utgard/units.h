/* SPDX-License-Identifier: MIT */
/* units.h - maps units to the numbers of the public interface, which are also the order of results
 * in the machine.
 *
 * In:      a unit of the instruction set, or an instruction (isa/gp/facts.h).
 * Out:     enum tess_gp_unit, and masks of it. */
#ifndef UTGARD_UNITS_H
#define UTGARD_UNITS_H

#include <tessera/utgard.h>

#include "isa/gp/facts.h"

/* Returns the unit's public number, or TESS_GP_UNITS for load units, the row and nothing. */
enum tess_gp_unit gp_result_unit(enum gp_unit unit);

/* Returns a mask of the units without a result, bits 1 << enum tess_gp_unit. */
unsigned gp_idle_units(const struct gp_insn *insn);

#endif
