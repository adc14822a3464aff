/* SPDX-License-Identifier: MIT */
/* alu.h - executes ALU instructions: reads the operands, computes both halves (vector and scalar),
 * and writes the results.
 *
 * In:      a decoded instruction, and the lanes that execute it.
 * Out:     registers, exports, the predicate, the previous result, a0, killed lanes.
 * Source:  docs/hardware/a2xx.md, sections 5 to 13; docs/a2xx/core.md has the choices. */
#ifndef A2XX_SHADER_ALU_H
#define A2XX_SHADER_ALU_H

#include "a2xx/shader/batch.h"

/* Executes the instruction for the given lanes. The caller has checked the instruction's
 * predicate. */
void a2xx_run_alu(struct a2xx_machine *machine, const struct a2xx_alu_code *code, a2xx_mask lanes);

/* Returns the number of the register that a lane accesses if `number` is relative to aL. */
static inline unsigned a2xx_relative_register(const struct a2xx_machine *machine, unsigned number,
                                              unsigned lane)
{
    return (unsigned)((int)number + machine->al[lane]) & (A2XX_REGISTERS - 1);
}

/* Writes a row of values to a component of a register or export. file is the array of registers or
 * of exports. marks is the array that records written components: .shadow.written for registers,
 * .exported for exports. */
void a2xx_write_component(struct a2xx_machine *machine, struct a2xx_row (*file)[4],
                          a2xx_mask (*marks)[4], unsigned number, bool relative, unsigned component,
                          const struct a2xx_row *from, a2xx_mask lanes);

/* Returns the index of a constant in the constant file, or -1 if the constant is outside of the
 * stage's window. */
int a2xx_constant_place(const struct a2xx_machine *machine, const struct a2xx_alu_code *code,
                        int index);

#endif
