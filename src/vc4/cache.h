/* SPDX-License-Identifier: MIT */
/* cache.h - the lines of memory that a cache would hold.
 *
 * In:  addresses in the order of the accesses.
 * Out: hit or miss of each access.
 * Modelled: any set-associative cache of up to CACHE_LINES lines that replaces the least
 *           recently used line of a set. The cache holds no data: memory is coherent in the
 *           model, and hits and misses are only counted. The struct is plain data that can be
 *           copied and compared. */
#ifndef VC4_CACHE_H
#define VC4_CACHE_H

#include <stdbool.h>
#include <stdint.h>

enum { CACHE_LINES = 512, CACHE_COPIES = 4 };

struct cache {
    uint32_t line_shift;     /* log2 of the bytes of a line */
    uint32_t set_mask, ways; /* number of sets - 1; lines per set */
    /* Line number + 1, or 0 if empty. Sets are consecutive. Within a set, the most recently used
     * line is first. */
    uint32_t tag[CACHE_LINES];
};

/* Initialises an empty cache. size and line are in bytes and powers of two. size / line is at most
 * CACHE_LINES and a multiple of `ways`. */
void cache_init(struct cache *cache, uint32_t size, uint32_t ways, uint32_t line);

/* Drops all lines, like a clear in the hardware. */
void cache_clear(struct cache *cache);

/* Merges up to CACHE_COPIES copies of cache that were used independently. A set that no copy
 * changed stays as it is. Any other set receives the lines of the changed copies: the most recently
 * used lines first, and lines of equal rank in the order of the copies. */
void cache_merge(struct cache *cache, const struct cache *const copy[], unsigned count);

/* Completes cache_touch() for a set with more than one line, if its first line has another tag.
 * Moves tag to the front of the set. Returns true if the set contained tag. */
bool cache_replace(struct cache *cache, uint32_t *set, uint32_t tag);

/* Returns the index in tag[] of the set of line `number`. */
static inline uint32_t cache_set(const struct cache *cache, uint32_t number)
{
    return (number & cache->set_mask) * cache->ways;
}

/* Returns true if an access to the byte at address would hit and change nothing. */
static inline bool cache_is_latest(const struct cache *cache, uint32_t address)
{
    uint32_t number = address >> cache->line_shift;
    return cache->tag[cache_set(cache, number)] == number + 1;
}

/* Models an access to the byte at address. Returns true on a hit. The line is in the cache
 * afterwards. */
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
