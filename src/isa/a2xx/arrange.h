/* SPDX-License-Identifier: MIT */
/* arrange.h - the statements of an A2xx program become its words: control flow first, then the instructions.
 *
 * In:      records, in the order of the source.
 * Out:     bytes, and which record each piece is of.
 * Choice:  clauses of more than six instructions, which have no sequence bits for a seventh, are split. */
#ifndef ISA_A2XX_ARRANGE_H
#define ISA_A2XX_ARRANGE_H

#include "asm/asm.h"

/* run->state is a struct a2xx_state. */
bool a2xx_arrange(const struct asm_run *run);

#endif
