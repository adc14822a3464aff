/* SPDX-License-Identifier: MIT */
/* cache.h - model of a set-associative cache, to count hits and misses.
 *
 * In:  addresses in the order of the accesses.
 * Out: hit or miss of each access.
 * Modelled: any set-associative cache of up to CACHE_LINES lines that replaces the least
 *           recently used line of a set. The cache contains line numbers but no data, because
 *           memory is coherent in the model. The struct can be copied and compared as bytes. */
#ifndef VC4_TIME_CACHE_H
#define VC4_TIME_CACHE_H

#include <stdbool.h>
#include <stdint.h>

enum { CACHE_LINES = 512, CACHE_COPIES = 4 };

struct cache {
    uint32_t line_shift;     /* log2 of the size of a line in bytes */
    uint32_t set_mask, ways; /* number of sets, minus 1; number of lines in a set */
    /* Line number + 1, or 0 if empty. Sets are consecutive. Within a set, the most recently used
     * line is first. */
    uint32_t tag[CACHE_LINES];
};

/* Initialises an empty cache. size (of the cache) and line (of a line) are powers of two, in bytes.
 * size / line must be at most CACHE_LINES and a multiple of `ways`. */
void cache_init(struct cache *cache, uint32_t size, uint32_t ways, uint32_t line);

/* Drops all lines, like a clear in the hardware. */
void cache_clear(struct cache *cache);

/* Merges up to CACHE_COPIES copies of *cache into *cache, after the copies were used independently.
 * A set that no copy changed stays as it is. In any other set, the lines of the changed copies
 * replace the old lines: the most recently used lines come first, and lines of equal rank are in
 * the order of the copies. */
void cache_merge(struct cache *cache, const struct cache *const copy[], unsigned count);

/* Moves tag to the front of a set whose first line has another tag. Drops the last line if the set
 * did not contain tag. Returns true if the set contained tag. Used by cache_touch(). */
bool cache_replace(struct cache *cache, uint32_t *set, uint32_t tag);

struct state_stream;

/* Lists the lines for saved states (base/state.h). The cache must be initialised. */
void cache_fields(struct state_stream *stream, struct cache *cache);

/* Returns the index in tag[] of the set of line `number`. */
static inline uint32_t cache_set(const struct cache *cache, uint32_t number)
{
    return (number & cache->set_mask) * cache->ways;
}

/* Returns true if an access to the byte at address would hit and leave the cache unchanged. */
static inline bool cache_is_latest(const struct cache *cache, uint32_t address)
{
    uint32_t number = address >> cache->line_shift;
    return cache->tag[cache_set(cache, number)] == number + 1;
}

/* Models an access to the byte at address. Returns true on a hit. On a miss, adds the line to the
 * cache. */
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
