/* SPDX-License-Identifier: MIT */
/* arrange.h - arranges the statements of an A2xx program in memory: control flow first, then the
 * instructions.
 *
 * In:      records, in the order of the source.
 * Out:     bytes, and the record that each piece of the bytes belongs to.
 * Choice:  clauses of more than six instructions are split, because a seventh has no sequence
 *          bits. */
#ifndef ISA_A2XX_ARRANGE_H
#define ISA_A2XX_ARRANGE_H

#include "asm/asm.h"

/* Arranges the program. run->state must be a struct a2xx_state. Returns false if the host is out
 * of memory. */
bool a2xx_arrange(const struct asm_run *run);

#endif
