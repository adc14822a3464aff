/* SPDX-License-Identifier: MIT */
/* units.h - maps units of the instruction set to the unit numbers of the public interface. The
 * machine stores results in the order of these numbers.
 *
 * In:      a unit of the instruction set, or an instruction (isa/gp/facts.h).
 * Out:     numbers of enum tess_gp_unit, or masks with a bit for each number. */
#ifndef MALI_GP_UNITS_H
#define MALI_GP_UNITS_H

#include <tessera/utgard.h>

#include "isa/gp/facts.h"

/* Returns the unit's public number. Returns TESS_GP_UNITS for load units, the row, and
 * GP_UNIT_NONE. */
enum tess_gp_unit gp_result_unit(enum gp_unit unit);

/* Returns the units that have no result in this instruction, as bits 1 << enum tess_gp_unit. */
unsigned gp_idle_units(const struct gp_insn *insn);

#endif
