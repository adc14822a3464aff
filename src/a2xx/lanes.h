/* SPDX-License-Identifier: MIT */
/* lanes.h - one value for each of the vertices or pixels that run in parallel, as the bits of a
 * float. */
#ifndef A2XX_LANES_H
#define A2XX_LANES_H

#include <stdint.h>

#include <tessera/a2xx.h>

enum { A2XX_LANES = TESS_A2XX_BATCH };

struct a2xx_row {
    uint32_t lane[A2XX_LANES] __attribute__((aligned(64)));
};

/* One bit per lane, bit i for lane i. */
typedef uint64_t a2xx_mask;

#define A2XX_ALL_LANES UINT64_MAX

/* Return the lowest lane of a mask that is not empty, and the number of lanes in a mask. */
static inline unsigned a2xx_first_lane(a2xx_mask mask)
{
    return (unsigned)__builtin_ctzll(mask);
}

static inline unsigned a2xx_lane_count(a2xx_mask mask)
{
    return (unsigned)__builtin_popcountll(mask);
}

#define A2XX_FOR_LANES(name, mask)             \
    for (a2xx_mask left_##name = (mask), name; \
         left_##name && (name = a2xx_first_lane(left_##name), 1); left_##name &= left_##name - 1)

#endif
