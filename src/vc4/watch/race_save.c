/* SPDX-License-Identifier: MIT */
/* race_save.c - lists what the sanitizer knows about races and stale lines, for saved states
 * (base/state.h). */
#include "base/state.h"
#include "vc4/watch/race.h"
#include "vc4/watch/stale.h"

enum {
    BITS = 64,                                   /* cells in a word of a bit map */
    PAGE_BYTES = 4 + RACE_PAGE_WORDS / BITS * 8, /* least number of bytes of a page in a state */
};

/* --- accesses --- */

static bool is_used(const struct race_cell *cell)
{
    return cell->write_time || cell->read_time || cell->write_bytes || cell->read_bytes ||
           cell->ways;
}

static void cell_fields(struct state_stream *stream, struct race_cell *cell)
{
    STATE_FIELDS(stream, &cell->write_time, &cell->read_time);
    state_below(stream, &cell->writer, RACE_AGENTS);
    state_below(stream, &cell->reader, RACE_AGENTS);
    STATE_FIELDS(stream, &cell->write_bytes, &cell->read_bytes, &cell->ways);
    state_require(stream, is_used(cell));
}

/* Lists cells: for each 64 cells, the set of those that are used, and their fields. */
static void cells_fields(struct state_stream *stream, struct race_cell *cells, uint32_t count)
{
    for (uint32_t first = 0; first < count; first += BITS) {
        uint64_t used = 0;
        for (uint32_t i = 0; i < BITS; i++)
            used |= (uint64_t)is_used(&cells[first + i]) << i;
        state_u64(stream, &used);
        for (uint32_t i = 0; i < BITS; i++)
            if (used >> i & 1)
                cell_fields(stream, &cells[first + i]);
    }
}

static void page_fields(struct state_stream *stream, struct race *race, uint32_t *number)
{
    while (!state_is_reading(stream) && !race->page[*number])
        ++*number;
    state_below(stream, number, RACE_PAGES);
    struct race_page **page = &race->page[*number];
    if (!state_require(stream, !state_is_reading(stream) || !*page) ||
        !state_allocate(stream, page, 1, sizeof **page))
        return;
    cells_fields(stream, (*page)->word, RACE_PAGE_WORDS);
}

static void pages_fields(struct state_stream *stream, struct race *race)
{
    uint32_t number = 0, least = 0;
    race->pages = state_count(stream, race->pages, RACE_PAGES_KEPT, PAGE_BYTES);
    for (uint32_t i = 0; i < race->pages && !stream->bad; i++, least = ++number) {
        page_fields(stream, race, &number);
        state_require(stream, number >= least);
    }
}

/* --- stale lines --- */

static uint32_t lines_of(const struct cache *cache)
{
    return (cache->set_mask + 1) * cache->ways;
}

/* True if a mark is in the set of its line, and no earlier mark of the set is for the same line. */
static bool is_in_place(const struct stale_cache *cache, uint32_t place)
{
    uint32_t first = cache_set(&cache->cache, cache->marked[place] - 1);
    if (place < first || place >= first + cache->cache.ways)
        return false;
    while (first < place && cache->marked[first] != cache->marked[place])
        first++;
    return first == place;
}

static void mark_fields(struct state_stream *stream, struct stale_cache *cache, uint32_t place)
{
    state_u32(stream, &cache->marked[place]);
    if (!cache->marked[place])
        return;
    state_require(stream, is_in_place(cache, place));
    STATE_FIELDS(stream, &cache->words[place], &cache->by[place]);
}

static void stale_fields(struct state_stream *stream, struct stale_cache *cache)
{
    cache_fields(stream, &cache->cache);
    for (uint32_t i = 0; i < lines_of(&cache->cache); i++)
        mark_fields(stream, cache, i);
}

/* --- the sanitizer --- */

void race_fields(struct state_stream *stream, struct race *race)
{
    struct state_section section = state_open(stream, STATE_TAG('R', 'A', 'C', 'E'));
    for (unsigned i = 0; i < RACE_AGENTS; i++)
        state_u32s(stream, race->agent[i].of, RACE_AGENTS);
    for (unsigned i = 0; i < RACE_SEMAPHORES; i++)
        state_u32s(stream, race->semaphore[i].of, RACE_AGENTS);
    state_u32s(stream, race->mutex.of, RACE_AGENTS);
    state_u32s(stream, race->host.of, RACE_AGENTS);
    state_u32s(stream, race->taken, RACE_QPUS);
    cells_fields(stream, race->vpm, RACE_VPM_WORDS);
    pages_fields(stream, race);
    for (unsigned i = 0; i < STALE_TMUS; i++)
        stale_fields(stream, &race->stale.tmu[i]);
    stale_fields(stream, &race->stale.l2);
    state_close(stream, &section);
}
