/* SPDX-License-Identifier: MIT */
/* arrange.h - arranges the statements of an A2xx program in memory: control flow first, then the
 * instructions.
 *
 * In:      records, in the order of the source.
 * Out: the bytes of the program, and for each piece of the bytes the record that it comes from.
 * Choice: clauses of more than six instructions are split, because only the first six instructions
 * of a clause have sequence bits. */
#ifndef ISA_A2XX_ARRANGE_H
#define ISA_A2XX_ARRANGE_H

#include "asm/asm.h"

/* Arranges the program. run->state must be a struct a2xx_state. Returns false if the host is out
 * of memory. */
bool a2xx_arrange(const struct asm_run *run);

#endif
