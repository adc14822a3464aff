/* SPDX-License-Identifier: MIT */
/* round.h - finds registers that a further iteration of a loop changes in lanes whose exit
 * condition already holds.
 *
 * In:      the body of a loop, from its start to a LOOP_END with a predicated break.
 * Out: a register that each iteration updates from its old value, without a predicate that prevents
 *      the update in lanes whose exit condition holds.
 * Source:  docs/hardware/a2xx.md, sections 4 and 27: a loop ends only when the exit condition holds
 *          in all lanes.
 * Left out: bodies that contain jumps, calls or loops; registers relative to aL; ps. */
#ifndef ISA_A2XX_ROUND_H
#define ISA_A2XX_ROUND_H

#include "isa/a2xx/facts.h"

/* A program: slots of A2XX_WORDS words, and cf_count decoded control-flow instructions. */
struct a2xx_body {
    const uint32_t *words;
    uint32_t slots;
    const struct a2xx_cf *cfs;
    uint32_t cf_count;
    enum tess_a2xx_variant variant;
};

/* Returns the first register that a further iteration of a loop changes as described above, or
 * A2XX_REGISTERS if there is no such register. cf is the number of the loop's LOOP_END among the
 * control-flow instructions. */
unsigned a2xx_changed_by_round(const struct a2xx_body *body, uint32_t cf);

#endif
