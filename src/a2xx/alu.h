/* SPDX-License-Identifier: MIT */
/* alu.h - executes ALU instructions: operands, both halves, and the destinations of their results.
 *
 * In:      a decoded instruction, and the lanes that execute it.
 * Out:     registers, exports, the predicate, the previous result, a0, killed lanes.
 * Source:  docs/hardware/a2xx.md, sections 5 to 13; docs/a2xx/core.md has the choices. */
#ifndef A2XX_ALU_H
#define A2XX_ALU_H

#include "a2xx/machine.h"

/* Executes the instruction for these lanes, which must have passed its predicate. */
void a2xx_run_alu(struct a2xx_machine *machine, const struct a2xx_alu_code *code, a2xx_mask lanes);

/* Returns the number of a register relative to aL, for a lane. */
static inline unsigned a2xx_relative_register(const struct a2xx_machine *machine, unsigned number,
                                              unsigned lane)
{
    return (unsigned)((int)number + machine->al[lane]) & (A2XX_REGISTERS - 1);
}

/* Writes a row to a component of a register or export. file and marks are the registers and
 * .shadow.written, or the exports and .exported. */
void a2xx_write_component(struct a2xx_machine *machine, struct a2xx_row (*file)[4],
                          a2xx_mask (*marks)[4], unsigned number, bool relative, unsigned component,
                          const struct a2xx_row *from, a2xx_mask lanes);

/* Returns the index of a constant in the file, or -1 if it is outside of the stage's window. */
int a2xx_constant_place(const struct a2xx_machine *machine, const struct a2xx_alu_code *code,
                        int index);

#endif
