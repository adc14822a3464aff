/* SPDX-License-Identifier: MIT */
/* stale.h - the part of the run-time sanitizer that finds stale lines in the TMUs' caches.
 *
 * In:  lookups of TMUs, DMA stores, clearing of caches.
 * Out: lookups that the hardware answers from a cache line that was fetched before a store to that
 *      line.
 *
 * The caches in shared_units.h only determine how long accesses take. The caches in this file have
 * the same sizes, but only lookups of user programs access them. The caches record the words of
 * each line that were stored since the line was fetched. */
#ifndef VC4_WATCH_STALE_H
#define VC4_WATCH_STALE_H

#include <stdint.h>

#include "vc4/time/cache.h"
#include "vc4/time/tmu_sizes.h"

enum { STALE_TMUS = 8, STALE_LINES = TMU_L2_SIZE / TMU_CACHE_LINE };

/* A cache, and marks for the lines to which programs have stored. The marks of a set are in any
 * order. */
struct stale_cache {
    struct cache cache;
    uint32_t marked[STALE_LINES]; /* number of the marked line + 1, or 0 if the entry is free */
    uint16_t words[STALE_LINES];  /* bit n is 1 if word n was stored since the cache fetched the
                                     line */
    uint32_t by[STALE_LINES];     /* address of the instruction that started the latest store */
};

struct stale {
    struct stale_cache tmu[STALE_TMUS], l2;
};

/* Empties all caches. */
void stale_clear(struct stale *stale);

/* Records a DMA store of size bytes. pc is the address of the instruction that starts the store. */
void stale_store(struct stale *stale, uint32_t address, uint32_t size, uint32_t pc);

/* Reads the word at an address through a TMU, whose number is 2 * slice + unit. Returns the address
 * of the instruction that has stored the word since a cache fetched the word's line, or 0 if the
 * word in the caches is up to date. */
uint32_t stale_read(struct stale *stale, uint32_t tmu, uint32_t address);

#endif
