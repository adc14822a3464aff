/* SPDX-License-Identifier: MIT */
/* lanes.h - one value for each of the vertices that run in parallel. With the compiler's vector
 * types, C expressions work on all lanes at once. Vectors are passed by pointer, so that the
 * calling convention does not depend on the host's vector width. Element i belongs to the vertex in
 * lane i. */
#ifndef MALI_GP_LANES_H
#define MALI_GP_LANES_H

#include <stdint.h>

#include "exec/lane_mask.h"

enum { GP_LANES = 32 };

typedef uint32_t gp_lanes __attribute__((vector_size(GP_LANES * 4), aligned(64), may_alias));

/* Returns the lanes as an array. Code that writes single lanes must use this function, because
 * compilers may store the whole vector after each write to an element. */
static inline uint32_t *gp_each(gp_lanes *value)
{
    return (uint32_t *)value;
}

/* A set of lanes. Bit i represents lane i. */
typedef uint32_t gp_mask;

#define GP_ALL_LANES UINT32_C(0xffffffff)

#endif
