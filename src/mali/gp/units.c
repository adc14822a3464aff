/* SPDX-License-Identifier: MIT */
/* units.c - see units.h. */
#include "mali/gp/units.h"

enum tess_gp_unit gp_result_unit(enum gp_unit unit)
{
    static const enum tess_gp_unit units[GP_UNITS] = {
        [GP_UNIT_ACC0] = TESS_GP_ACC0,   [GP_UNIT_ACC1] = TESS_GP_ACC1,
        [GP_UNIT_MUL0] = TESS_GP_MUL0,   [GP_UNIT_MUL1] = TESS_GP_MUL1,
        [GP_UNIT_PASS] = TESS_GP_PASS,   [GP_UNIT_COMPLEX] = TESS_GP_COMPLEX,
        [GP_UNIT_NONE] = TESS_GP_UNITS,  [GP_UNIT_LOAD0] = TESS_GP_UNITS,
        [GP_UNIT_LOAD1] = TESS_GP_UNITS, [GP_UNIT_ROW] = TESS_GP_UNITS,
    };
    return units[unit];
}

unsigned gp_idle_units(const struct gp_insn *insn)
{
    unsigned idle = 0;
    for (enum gp_unit unit = GP_UNIT_ACC0; unit < GP_UNITS; unit++)
        if (!gp_makes_result(insn, unit))
            idle |= 1u << gp_result_unit(unit);
    return idle;
}
