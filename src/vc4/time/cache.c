/* SPDX-License-Identifier: MIT */
/* cache.c - see cache.h. */
#include "vc4/time/cache.h"

#include <string.h>

void cache_init(struct cache *cache, uint32_t size, uint32_t ways, uint32_t line)
{
    *cache = (struct cache){.line_shift = (uint32_t)__builtin_ctz(line),
                            .set_mask = size / line / ways - 1,
                            .ways = ways};
}

void cache_clear(struct cache *cache)
{
    memset(cache->tag, 0, (cache->set_mask + 1) * cache->ways * sizeof *cache->tag);
}

/* Shifts the lines from the front up to the old position of tag by one place. On a miss, all lines
 * shift, and the last line is dropped. */
bool cache_replace(struct cache *cache, uint32_t *set, uint32_t tag)
{
    uint32_t last = cache->ways - 1, at = 0, before = tag;
    for (; at < last && set[at] != tag; at++) {
        uint32_t moved = set[at];
        set[at] = before;
        before = moved;
    }
    bool hit = set[at] == tag;
    set[at] = before;
    return hit;
}

/* Appends tag to a set that has *known lines. Does nothing if tag is 0, if the set contains tag, or
 * if the set is full. */
static void add_line(uint32_t *set, uint32_t *known, uint32_t ways, uint32_t tag)
{
    for (uint32_t i = 0; i < *known; i++)
        if (set[i] == tag)
            return;
    if (tag && *known < ways)
        set[(*known)++] = tag;
}

/* Merges the set that begins at tag[first]. If any copies have changed the set, the merged set
 * contains only lines of these copies. */
static void merge_set(struct cache *cache, uint32_t first, const struct cache *const copy[],
                      unsigned count)
{
    const size_t size = cache->ways * sizeof cache->tag[0];
    const uint32_t *changed[CACHE_COPIES];
    uint32_t known = 0, merged[CACHE_LINES] = {0};
    unsigned changes = 0;
    for (unsigned i = 0; i < count; i++)
        if (memcmp(&copy[i]->tag[first], &cache->tag[first], size) != 0)
            changed[changes++] = &copy[i]->tag[first];
    if (changes == 0)
        return;
    for (uint32_t way = 0; way < cache->ways; way++)
        for (unsigned i = 0; i < changes; i++)
            add_line(merged, &known, cache->ways, changed[i][way]);
    memcpy(&cache->tag[first], merged, size);
}

void cache_merge(struct cache *cache, const struct cache *const copy[], unsigned count)
{
    const uint32_t lines = (cache->set_mask + 1) * cache->ways;
    const struct cache *changed[CACHE_COPIES];
    unsigned changes = 0;
    for (unsigned i = 0; i < count && i < CACHE_COPIES; i++)
        if (memcmp(copy[i]->tag, cache->tag, lines * sizeof cache->tag[0]) != 0)
            changed[changes++] = copy[i];
    for (uint32_t first = 0; changes && first < lines; first += cache->ways)
        merge_set(cache, first, changed, changes);
}
