/* SPDX-License-Identifier: MIT */
/* round.h - what another round of a loop changes for lanes that want to break.
 *
 * In:      the body of a loop, from its start to a LOOP_END with a predicated break.
 * Out:     a register that another round changes from its own value, without a predicate that stops it.
 * Source:  digest a2xx.md, sections 4 and 27: a loop breaks when all lanes want to.
 * Omits:   bodies with jumps, calls or loops in them, registers relative to aL, ps. */
#ifndef ISA_A2XX_ROUND_H
#define ISA_A2XX_ROUND_H

#include "isa/a2xx/facts.h"

/* A program: slots of A2XX_WORDS words, and control flow, of which cf_count are decoded. */
struct a2xx_body {
    const uint32_t *words;
    uint32_t slots;
    const struct a2xx_cf *cfs;
    uint32_t cf_count;
    enum tess_a2xx_variant variant;
};

/* The first such register for the LOOP_END that is control-flow instruction cf, or A2XX_REGISTERS. */
unsigned a2xx_changed_by_round(const struct a2xx_body *body, uint32_t cf);

#endif
