/* SPDX-License-Identifier: MIT */
/* lanes.h - one value of each of the vertices that are run side by side. Compiler vectors let plain C work on all of
 * them at once; they are passed by pointer, so that the calling convention does not depend on the host's vector width.
 * The vertex in lane i is value[i]. */
#ifndef UTGARD_LANES_H
#define UTGARD_LANES_H

#include <stdint.h>

enum { GP_LANES = 32 };

typedef uint32_t gp_lanes __attribute__((vector_size(GP_LANES * 4), aligned(64), may_alias));

/* One lane after the other: compilers that index vectors may write all of them back for each. */
static inline uint32_t *gp_each(gp_lanes *value)
{
    return (uint32_t *)value;
}

/* One bit per lane, bit i for lane i. */
typedef uint32_t gp_mask;

#define GP_ALL_LANES UINT32_C(0xffffffff)

/* The lowest lane of a mask that is not empty; how many lanes it has. */
static inline unsigned gp_first_lane(gp_mask mask)
{
    return (unsigned)__builtin_ctz(mask);
}

static inline unsigned gp_lane_count(gp_mask mask)
{
    return (unsigned)__builtin_popcount(mask);
}

#endif
