/* SPDX-License-Identifier: MIT */
/* cache.h - which lines of memory a cache would hold. It keeps no data: memory is coherent here,
 * and caches are only counted.
 *
 * In:  addresses in the order of the accesses. Out: whether each hits.
 * Modelled: any set-associative cache of up to CACHE_LINES lines; the least recently used line of a
 * set is replaced. Plain data, so a cache is copied and compared as it is. */
#ifndef VC4_CACHE_H
#define VC4_CACHE_H

#include <stdbool.h>
#include <stdint.h>

enum { CACHE_LINES = 512, CACHE_COPIES = 4 };

struct cache {
    uint32_t line_shift;       /* log2 of the bytes of a line */
    uint32_t set_mask, ways;   /* sets - 1, lines of a set */
    uint32_t tag[CACHE_LINES]; /* line number + 1, 0 if empty; sets follow each other, the most
                                  recently used line of a set is first */
};

/* An empty cache. size (bytes) and line (bytes) are powers of two; ways divides their ratio, which
 * is at most CACHE_LINES. */
void cache_init(struct cache *cache, uint32_t size, uint32_t ways, uint32_t line);

/* Drops all lines, as the hardware does on a clear. */
void cache_clear(struct cache *cache);

/* Copies of a cache have been used apart, up to CACHE_COPIES of them. A set that changed in some gets the lines that it has in
 * these, the most recently used ones first, those of the first copy before the others'. */
void cache_merge(struct cache *cache, const struct cache *const copy[], unsigned count);

/* For cache_touch(): a line that is not first in its set, of several ways. */
bool cache_replace(struct cache *cache, uint32_t *set, uint32_t tag);

/* The set of a line. */
static inline uint32_t cache_set(const struct cache *cache, uint32_t number)
{
    return (number & cache->set_mask) * cache->ways;
}

/* Whether an access to the byte at address would hit and change nothing. */
static inline bool cache_is_latest(const struct cache *cache, uint32_t address)
{
    uint32_t number = address >> cache->line_shift;
    return cache->tag[cache_set(cache, number)] == number + 1;
}

/* An access to the byte at address. True if its line is there; it is afterwards in any case. */
static inline bool cache_touch(struct cache *cache, uint32_t address)
{
    uint32_t number = address >> cache->line_shift, tag = number + 1;
    uint32_t *set = &cache->tag[cache_set(cache, number)];
    if (set[0] == tag)
        return true;
    if (cache->ways > 1)
        return cache_replace(cache, set, tag);
    set[0] = tag;
    return false;
}

#endif
