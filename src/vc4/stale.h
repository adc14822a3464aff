/* SPDX-License-Identifier: MIT */
/* stale.h - the part of the run-time sanitizer that looks for stale lines in caches of the TMUs.
 *
 * In:  what TMUs look up, what DMA stores; cleared caches.
 * Out: lookups that silicon answers from a line that is older than a store to it.
 *
 * The caches of slices.h are for the time that programs take. These have the same sizes, see the
 * lookups of user programs only, and remember for each line which of its words were stored since it
 * was fetched. */
#ifndef VC4_STALE_H
#define VC4_STALE_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/cache.h"
#include "vc4/tmu.h"

enum { STALE_TMUS = 8, STALE_LINES = TMU_L2_SIZE / TMU_CACHE_LINE };

/* A cache, and what was stored to its lines. Marks are kept by set, in no order. */
struct stale_cache {
    struct cache cache;
    uint32_t marked[STALE_LINES]; /* line number + 1; 0: none */
    uint16_t words[STALE_LINES];  /* bit each, that were stored since the line was fetched */
    uint32_t by[STALE_LINES];     /* the instruction that stored them */
};

struct stale {
    struct stale_cache tmu[STALE_TMUS], l2;
};

/* All caches are empty from here on. */
void stale_clear(struct stale *stale);

/* DMA stores so many bytes at an address; pc: the instruction that starts it. */
void stale_store(struct stale *stale, uint32_t address, uint32_t size, uint32_t pc);

/* A TMU, number 2 * slice + unit, reads the word at an address. Returns the instruction that has
 * stored it since a cache fetched its line; 0: none has. */
uint32_t stale_read(struct stale *stale, uint32_t tmu, uint32_t address);

#endif
