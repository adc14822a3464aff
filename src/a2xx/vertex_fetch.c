/* SPDX-License-Identifier: MIT */
/* vertex_fetch.c - see fetch.h. */
#include "a2xx/fetch.h"

void a2xx_vertex_fetch(const struct a2xx_fetch_unit *unit, const struct a2xx_vertex *insn,
                       const struct a2xx_vertex *full, const float index[A2XX_LANES],
                       uint64_t active, float data[4][A2XX_LANES], struct a2xx_fetch_report *report)
{
    (void)unit, (void)insn, (void)full, (void)index, (void)report;
    for (unsigned lane = 0; lane < A2XX_LANES; lane++)
        for (unsigned i = 0; i < 4; i++)
            if (active >> lane & 1)
                data[i][lane] = 0;
}
