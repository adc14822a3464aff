/* SPDX-License-Identifier: MIT */
/* alu.h - the ALU's instructions: operands, both halves, and where their results go.
 *
 * In:      a decoded instruction, and the lanes that execute it.
 * Out:     registers, exports, the predicate, the previous result, a0, killed lanes.
 * Source:  digest a2xx.md, sections 5 to 13; docs/a2xx/core.md has the choices. */
#ifndef A2XX_ALU_H
#define A2XX_ALU_H

#include "a2xx/machine.h"

/* Executes the instruction for these lanes, whose predicate lets them. */
void a2xx_run_alu(struct a2xx_machine *machine, const struct a2xx_alu_code *code, a2xx_mask lanes);

/* The number of a relative register in a lane. */
static inline unsigned a2xx_relative_register(const struct a2xx_machine *machine, unsigned number,
                                              unsigned lane)
{
    return (unsigned)((int)number + machine->al[lane]) & (A2XX_REGISTERS - 1);
}

/* Writes a row to a register's or export's component. */
void a2xx_write_component(struct a2xx_machine *machine, struct a2xx_row (*file)[4],
                          a2xx_mask (*marks)[4], unsigned number, bool relative, unsigned component,
                          const struct a2xx_row *from, a2xx_mask lanes);

/* The place of a constant in the file; -1: it is outside of the stage's window. */
int a2xx_constant_place(const struct a2xx_machine *machine, const struct a2xx_alu_code *code,
                        int index);

#endif
