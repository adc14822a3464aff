/* SPDX-License-Identifier: MIT */
/* varying.h - the store unit's way to memory: varyings of lanes that have come to their end.
 *
 * In:      struct gp_memory.varyings, and descriptors (struct tess_gp_varying).
 * Out:     the memory that they describe. What the program has not stored keeps its bytes.
 * Source:  digest utgard.md, sections 7 and 15. */
#ifndef UTGARD_VARYING_H
#define UTGARD_VARYING_H

#include "utgard/machine.h"

/* Writes what the vertices in these lanes have stored. */
void gp_varyings_write(struct gp_machine *machine, gp_mask lanes);

/* The vertices have come to the end of the program: whether they have stored all that is wanted. */
void gp_varyings_check(struct gp_machine *machine, gp_mask lanes);

/* The nearest half, of two the even one. Too great ones are infinite, NaN is 0x7e00. */
uint16_t gp_half(uint32_t bits);

bool gp_varying_is_valid(const struct tess_gp_varying *varying);

#endif
