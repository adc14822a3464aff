/* SPDX-License-Identifier: MIT */
/* detail.h - level of detail: which levels and which filter each lane uses. */
#ifndef VC4_TMU_DETAIL_H
#define VC4_TMU_DETAIL_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/lanes/lanes.h"
#include "vc4/tmu/places.h"
#include "vc4/tmu/texture.h"

/* Smaller squares have the same level of detail. */
#define DETAIL_LEAST_SQUARE 0x1p-64

/* Faces, levels and filters of all lanes. */
struct detail_plan {
    lanes key;      /* face, level and filter of each lane, packed by detail_key() */
    lanes fraction; /* weight of the lane's second level, 0 to FILTER_ONE - 1 */
    bool blended;   /* true if the fraction of any lane is not 0 */
    bool uniform;   /* true if all keys are equal; not set for all such plans */
};

static inline uint32_t detail_key(bool linear, uint32_t face, uint32_t level)
{
    return (uint32_t)linear | face << 1 | level << 4;
}

static inline bool detail_linear(uint32_t key)
{
    return key & 1;
}

static inline uint32_t detail_face(uint32_t key)
{
    return key >> 1 & 7;
}

static inline uint32_t detail_level(uint32_t key)
{
    return key >> 4;
}

struct sampler_kernels;

/* Finds the plan of a request. kernels may be NULL. */
void detail_find(struct detail_plan *plan, const struct texture *texture,
                 const struct places *places, const struct sampler_kernels *kernels);

#endif
