/* SPDX-License-Identifier: MIT */
/* units.h - units as the public interface numbers them, which is the order of results in the machine.
 *
 * In:      a unit of the instruction set, or an instruction (isa/gp/facts.h).
 * Out:     enum tess_gp_unit, and masks of it. */
#ifndef UTGARD_UNITS_H
#define UTGARD_UNITS_H

#include <tessera/utgard.h>

#include "isa/gp/facts.h"

/* TESS_GP_UNITS for what is none of them: load units, the row, nothing. */
enum tess_gp_unit gp_result_unit(enum gp_unit unit);

/* Bits 1 << enum tess_gp_unit of those that make no result. */
unsigned gp_idle_units(const struct gp_insn *insn);

#endif
