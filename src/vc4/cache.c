/* SPDX-License-Identifier: MIT */
/* cache.c - see cache.h. */
#include "vc4/cache.h"

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

/* Moves the lines that were used after the found one, or all but the last, one place back. */
bool cache_replace(struct cache *cache, uint32_t *set, uint32_t tag)
{
    uint32_t at = 1;
    while (at < cache->ways && set[at] != tag)
        at++;
    bool hit = at < cache->ways;
    uint32_t moved = hit ? at : cache->ways - 1;
    memmove(&set[1], &set[0], moved * sizeof *set);
    set[0] = tag;
    return hit;
}
