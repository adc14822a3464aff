/* SPDX-License-Identifier: MIT */
/* sampler_kernels.h - the steps of texture sampling for the vector width of the host's processor.
 *
 * The functions have the same results as the plain functions of sampler.c and tmu.c, which serve
 * hosts without a set, and the requests that the functions refuse. */
#ifndef VC4_TMU_SAMPLER_KERNELS_H
#define VC4_TMU_SAMPLER_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/lanes/lanes.h"
#include "vc4/time/cache.h"
#include "vc4/tmu/texture.h"

/* Steps of a position inside a texel. Coordinate k / width is exactly at texel k, for every k. */
enum { SUBTEXELS = 4096 };

/* One level of one face, and the lanes' coordinates on it. */
struct sampler_job {
    const struct texture *texture;
    const struct texture_level *level;
    const uint8_t *host; /* host address of the level, which is completely mapped */
    uint32_t address;    /* bus address of the level */
    uint32_t border;     /* border colour */
    const lanes *place;  /* s and t as float32 bits, one after the other */
    bool centred;        /* true if s and t run from -1 to 1 instead of from 0 to 1 */
    bool bordered;       /* true if texels can be in the border */
    bool linear;
};

/* Texels of all lanes before the filter. Taps are numbered as in filter_quad(). */
struct sampler_taps {
    lanes word[4][2];    /* result words of each tap; the second only for types with two words */
    lanes address[4];    /* bus addresses of the cells */
    lane_mask inside[4]; /* lanes whose texel is inside the image */
    lanes x, y;          /* weights, 0 to FILTER_ONE; set only if the filter is linear */
};

struct sampler_kernels {
    /* Fetches and filters the texels of all lanes. Sets taps->address and taps->inside, and result
     * if the type's channels are bytes or the filter is nearest. Otherwise sets taps->word and the
     * weights. */
    void (*sample)(const struct sampler_job *job, struct sampler_taps *taps, lanes result[2]);
    /* Computes log2(square) / 2 in steps of 1/256, rounded down, for four positive finite numbers
     * that are at least 2^-64. */
    void (*half_logs)(const double square[4], int32_t log[4]);
    /* Returns true if accesses to all addresses would hit and leave the cache unchanged. The cache
     * has one way. */
    bool (*are_latest)(const struct cache *cache, const lanes *address, lane_mask used);
};

/* Returns the set for this host's processor, or NULL if there is none. */
const struct sampler_kernels *sampler_kernels_native(void);

#ifdef __x86_64__
extern const struct sampler_kernels sampler_kernels_avx2;
#endif

#endif
