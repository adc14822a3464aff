/* SPDX-License-Identifier: MIT */
/* varying.h - the store unit: writes the varyings of vertices that have ended to memory.
 *
 * In:      struct gp_memory.varyings, and descriptors (struct tess_gp_varying).
 * Out:     the memory that the descriptors name. Bytes of components that the program has not
 *          stored do not change.
 * Source:  docs/hardware/utgard.md, sections 7 and 15. */
#ifndef MALI_GP_VARYING_H
#define MALI_GP_VARYING_H

#include "mali/gp/batch.h"

/* Writes the components that the vertices in these lanes have stored. */
void gp_varyings_write(struct gp_machine *machine, gp_mask lanes);

/* Checks, at the end of the program, that the vertices have stored all components that the
 * descriptors request. */
void gp_varyings_check(struct gp_machine *machine, gp_mask lanes);

/* Converts a float to the nearest 16-bit float, ties to even. Values out of range become infinity.
 * NaN becomes 0x7e00. */
uint16_t gp_half(uint32_t bits);

bool gp_varying_is_valid(const struct tess_gp_varying *varying);

#endif
