/* SPDX-License-Identifier: MIT */
/* accesses.h - accesses of texture units to their caches, and the cost of a request.
 *
 * In:  addresses of the elements' texels or words.
 * Out: the lines in the caches; the number of texels and misses of the request. */
#ifndef VC4_TMU_ACCESSES_H
#define VC4_TMU_ACCESSES_H

#include <stdint.h>

#include "vc4/lanes/lanes.h"
#include "vc4/time/cache.h"
#include "vc4/tmu/sampler_state.h"

enum {
    TMU_LINES = 128, /* lines of the largest request: 16 elements, two levels of four texels each */
};

/* Cost of a request. The numbers of misses are 0 if caches are not modelled. */
struct tmu_cost {
    uint32_t unit;      /* number of the unit that served the request */
    uint32_t texels;    /* texels read from memory or cache by all lanes; for a lookup, words */
    uint32_t misses;    /* lines fetched by the unit's cache */
    uint32_t l2_misses; /* number of the lines in .misses that the level 2 cache fetched from
                           memory */
};

/* The caches that a request uses, and where its cost is counted. */
struct accesses {
    struct cache *cache;   /* NULL if caches are not modelled */
    struct cache *l2;      /* level 2 cache; NULL if it is disabled or caches are not modelled */
    struct tmu_cost *cost; /* of the request */
    uint32_t *line;        /* receives the bus addresses in the lines that are fetched from memory;
                              TMU_LINES entries */
};

/* Accesses the lines of the sampler's texels, and counts the texels. The elements access the cache
 * in order (vc4asm's addendum). */
void accesses_texels(const struct accesses *accesses, const struct sampler *sampler);

/* Accesses the lines of a lookup. If consecutive elements are on the same line, accesses the line
 * once. */
void accesses_words(const struct accesses *accesses, const lanes *address);

/* Accesses the lines of a lookup of 16 adjacent words. These are the lines of the first and the
 * last element. */
void accesses_row(const struct accesses *accesses, const lanes *address);

#endif
