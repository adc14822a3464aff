/* SPDX-License-Identifier: MIT */
/* stale.h - the part of the run-time sanitizer that finds stale lines in the TMUs' caches.
 *
 * In:  lookups of TMUs, DMA stores, clearing of caches.
 * Out: lookups that the hardware answers from a line that is older than a store to it.
 *
 * The caches in shared_units.h model time. The caches in this file have the same sizes, but only
 * lookups of user programs access them. The caches record the words of each line that were stored
 * since the line was fetched. */
#ifndef VC4_STALE_H
#define VC4_STALE_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/cache.h"
#include "vc4/tmu_sizes.h"

enum { STALE_TMUS = 8, STALE_LINES = TMU_L2_SIZE / TMU_CACHE_LINE };

/* A cache, and marks of stores to its lines. Marks are unordered within a set. */
struct stale_cache {
    struct cache cache;
    uint32_t marked[STALE_LINES]; /* line number + 1, or 0 if free */
    uint16_t words[STALE_LINES];  /* bit n: word n was stored since the line was fetched */
    uint32_t by[STALE_LINES];     /* address of the instruction that started the store */
};

struct stale {
    struct stale_cache tmu[STALE_TMUS], l2;
};

/* Empties all caches. */
void stale_clear(struct stale *stale);

/* Notes a DMA store of size bytes. pc is the address of the instruction that starts it. */
void stale_store(struct stale *stale, uint32_t address, uint32_t size, uint32_t pc);

/* Reads the word at an address through a TMU, number 2 * slice + unit. Returns the instruction that
 * has stored the word since a cache fetched its line, or 0 if the word is up to date. */
uint32_t stale_read(struct stale *stale, uint32_t tmu, uint32_t address);

#endif
