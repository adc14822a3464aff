/* SPDX-License-Identifier: MIT */
/* lanes.h - a row of values: one value, as the bits of a float, for each of the vertices or pixels
 * that run in parallel. */
#ifndef A2XX_LANES_LANES_H
#define A2XX_LANES_LANES_H

#include <stdint.h>

#include <tessera/a2xx.h>

enum { A2XX_LANES = TESS_A2XX_BATCH };

struct a2xx_row {
    uint32_t lane[A2XX_LANES] __attribute__((aligned(64)));
};

/* A set of lanes. Bit i represents lane i. */
typedef uint64_t a2xx_mask;

#define A2XX_ALL_LANES UINT64_MAX

/* a2xx_first_lane() returns the lowest lane of a mask, which must not be empty. a2xx_lane_count()
 * returns the number of lanes in a mask. */
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
