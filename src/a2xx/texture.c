/* SPDX-License-Identifier: MIT */
/* texture.c - see fetch.h. */
#include "a2xx/fetch.h"

void a2xx_texture_fetch(const struct a2xx_fetch_unit *unit, const struct a2xx_texture *insn,
                        const float coords[3][A2XX_LANES], uint64_t active, bool quads,
                        struct a2xx_texture_state *state, float data[4][A2XX_LANES],
                        struct a2xx_fetch_report *report)
{
    (void)unit, (void)insn, (void)coords, (void)quads, (void)state, (void)report;
    for (unsigned lane = 0; lane < A2XX_LANES; lane++)
        for (unsigned i = 0; i < 4; i++)
            if (active >> lane & 1)
                data[i][lane] = 0;
}
