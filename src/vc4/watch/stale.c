/* SPDX-License-Identifier: MIT */
/* stale.c - see stale.h.
 *
 * Source:   docs/hardware/vc4.md, section 3.12; the sizes in tmu.h.
 * Left out: uniforms and instructions, which the level 2 cache also contains. */
#include "vc4/watch/stale.h"

#include <string.h>

#include "vc4/memory/bus.h"

static void clear(struct stale_cache *cache, uint32_t size, uint32_t ways)
{
    memset(cache, 0, sizeof *cache);
    cache_init(&cache->cache, size, ways, TMU_CACHE_LINE);
}

void stale_clear(struct stale *stale)
{
    for (unsigned i = 0; i < STALE_TMUS; i++)
        clear(&stale->tmu[i], TMU_CACHE_SIZE, TMU_CACHE_WAYS);
    clear(&stale->l2, TMU_L2_SIZE, TMU_L2_WAYS);
}

/* True if the cache contains a line. */
static bool holds(const struct cache *cache, uint32_t number)
{
    const uint32_t *set = &cache->tag[cache_set(cache, number)];
    for (uint32_t way = 0; way < cache->ways; way++)
        if (set[way] == number + 1)
            return true;
    return false;
}

/* Returns the index of a line's mark. If the line has no mark, returns the index after the last
 * entry of the line's set. */
static uint32_t find_mark(const struct stale_cache *cache, uint32_t number)
{
    uint32_t place = cache_set(&cache->cache, number), end = place + cache->cache.ways;
    while (place < end && cache->marked[place] != number + 1)
        place++;
    return place;
}

static bool is_mark(const struct stale_cache *cache, uint32_t number, uint32_t place)
{
    return place < cache_set(&cache->cache, number) + cache->cache.ways;
}

/* Returns an index for a new mark: a free entry, or the entry of a line that is no longer in the
 * cache. Such an entry always exists, because the cache contains the line that is to be marked. */
static uint32_t free_place(const struct stale_cache *cache, uint32_t number)
{
    uint32_t place = cache_set(&cache->cache, number);
    while (cache->marked[place] && holds(&cache->cache, cache->marked[place] - 1))
        place++;
    return place;
}

static void mark(struct stale_cache *cache, uint32_t number, uint16_t words, uint32_t pc)
{
    if (!holds(&cache->cache, number))
        return;
    uint32_t place = find_mark(cache, number);
    if (!is_mark(cache, number, place)) {
        place = free_place(cache, number);
        cache->marked[place] = number + 1;
        cache->words[place] = 0;
    }
    cache->words[place] |= words;
    cache->by[place] = pc;
}

/* Returns, as bits, the words of a line that are between address and end. */
static uint16_t words_in(uint32_t number, uint32_t address, uint32_t end)
{
    uint16_t words = 0;
    for (uint32_t word = 0; word < TMU_CACHE_LINE / 4; word++) {
        uint32_t at = number * TMU_CACHE_LINE + 4 * word;
        if (at < end && at + 4 > address)
            words |= (uint16_t)(1u << word);
    }
    return words;
}

void stale_store(struct stale *stale, uint32_t address, uint32_t size, uint32_t pc)
{
    uint32_t first = address & BUS_ADDRESS_MASK, end = first + size;
    for (uint32_t number = first / TMU_CACHE_LINE; number * TMU_CACHE_LINE < end; number++) {
        uint16_t words = words_in(number, first, end);
        for (unsigned i = 0; i < STALE_TMUS; i++)
            mark(&stale->tmu[i], number, words, pc);
        mark(&stale->l2, number, words, pc);
    }
}

/* A line's mark. Both members are 0 if the line is not marked. */
struct mark {
    uint16_t words;
    uint32_t by;
};

/* Accesses a line and copies its mark to *mark. On a miss, deletes the mark, because the newly
 * fetched line includes all earlier stores. Returns true on a hit. */
static bool access_line(struct stale_cache *cache, uint32_t number, struct mark *mark)
{
    bool hit = holds(&cache->cache, number);
    uint32_t place = find_mark(cache, number);
    *mark = (struct mark){0};
    if (is_mark(cache, number, place) && hit)
        *mark = (struct mark){cache->words[place], cache->by[place]};
    else if (is_mark(cache, number, place))
        cache->marked[place] = 0;
    cache_touch(&cache->cache, number * TMU_CACHE_LINE);
    return hit;
}

uint32_t stale_read(struct stale *stale, uint32_t tmu, uint32_t address)
{
    uint32_t at = address & BUS_ADDRESS_MASK, number = at / TMU_CACHE_LINE;
    struct stale_cache *own = &stale->tmu[tmu % STALE_TMUS];
    struct mark found;
    if (!access_line(own, number, &found)) {
        access_line(&stale->l2, number, &found);
        if (found.words)
            mark(own, number, found.words, found.by);
    }
    return found.words >> at % TMU_CACHE_LINE / 4 & 1 ? found.by : 0;
}
