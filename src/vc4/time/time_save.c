/* SPDX-License-Identifier: MIT */
/* time_save.c - lists the fields of times, caches and counts for saved states (base/state.h).
 *
 * Left out: sizes of caches, which never change; copies of the level 2 cache, which are only used
 *           inside of a run-ahead. Large tables list only their entries that are not 0. */
#include "base/state.h"
#include "vc4/time/cache.h"
#include "vc4/time/contention.h"
#include "vc4/time/pctr.h"
#include "vc4/time/shared_units.h"

/* --- tables with many zeros --- */

/* Return and set entry i of a table whose entries have `width` bytes, 4 or 8. */
static uint64_t get(const void *table, unsigned width, uint32_t i)
{
    return width == 4 ? ((const uint32_t *)table)[i] : ((const uint64_t *)table)[i];
}

static void set(void *table, unsigned width, uint32_t i, uint64_t value)
{
    if (width == 4)
        ((uint32_t *)table)[i] = (uint32_t)value;
    else
        ((uint64_t *)table)[i] = value;
}

/* Lists the next entry of a table from entry `at` on that is not 0. Returns the index after this
 * entry. */
static uint32_t next_entry(struct state_stream *stream, void *table, unsigned width, uint32_t size,
                           uint32_t at)
{
    uint32_t least = at;
    while (!state_is_reading(stream) && !get(table, width, at))
        at++;
    at = (uint32_t)state_unsigned(stream, at, 4, 0, size - 1);
    if (!state_require(stream, at >= least))
        return least;
    uint64_t value = state_integer(stream, get(table, width, at), width);
    if (state_require(stream, value != 0) && state_is_reading(stream))
        set(table, width, at, value);
    return at + 1;
}

/* Lists the entries of a table that are not 0. When reading, the table must have zeros only. */
static void sparse_fields(struct state_stream *stream, void *table, unsigned width, uint32_t size)
{
    uint32_t count = 0, at = 0;
    for (uint32_t i = 0; i < size; i++)
        count += get(table, width, i) != 0;
    count = state_count(stream, count, size, 4 + width);
    for (uint32_t i = 0; i < count; i++)
        at = next_entry(stream, table, width, size, at);
}

/* --- caches --- */

void cache_fields(struct state_stream *stream, struct cache *cache)
{
    sparse_fields(stream, cache->tag, sizeof *cache->tag, (cache->set_mask + 1) * cache->ways);
}

/* --- contention --- */

/* A bucket that is in use is not past the end, and a search passes it by at least one bucket. */
static void bucket_fields(struct state_stream *stream, struct timeline *timeline, uint32_t at)
{
    state_below(stream, &timeline->taken[at], TIMELINE_CLOCKS + 1);
    state_below(stream, &timeline->skip[at], TIMELINE_BUCKETS);
    state_require(stream, timeline->taken[at] < TIMELINE_CLOCKS || timeline->skip[at]);
}

static void timeline_fields(struct state_stream *stream, struct timeline *timeline)
{
    sparse_fields(stream, timeline->number, sizeof *timeline->number, TIMELINE_BUCKETS);
    for (uint32_t i = 0; i < TIMELINE_BUCKETS; i++)
        if (timeline->number[i])
            bucket_fields(stream, timeline, i);
}

void contention_fields(struct state_stream *stream, struct contention *contention)
{
    struct state_section section = state_open(stream, STATE_TAG('C', 'O', 'N', 'T'));
    for (unsigned i = 0; i < TRAFFIC_TMUS; i++)
        timeline_fields(stream, &contention->tmu[i]);
    timeline_fields(stream, &contention->bus);
    timeline_fields(stream, &contention->sdram);
    state_u32s(stream, contention->row, TRAFFIC_BANKS);
    sparse_fields(stream, contention->line[0], sizeof *contention->line[0],
                  TRAFFIC_SETS * TRAFFIC_WAYS);
    state_close(stream, &section);
}

/* --- shared units --- */

static void lines_fields(struct state_stream *stream, struct shared_units_lines *lines)
{
    sparse_fields(stream, lines->line, sizeof *lines->line, SLICES_LINES);
    for (unsigned i = 0; i < SLICES_LINES; i++)
        if (lines->line[i])
            state_u64(stream, &lines->there[i]);
}

static void slice_fields(struct state_stream *stream, struct slice *slice)
{
    cache_fields(stream, &slice->instructions);
    cache_fields(stream, &slice->uniforms);
    for (unsigned unit = 0; unit < TMU_UNITS; unit++)
        cache_fields(stream, &slice->tmu[unit]);
    lines_fields(stream, &slice->coming);
    sparse_fields(stream, slice->sfu, sizeof *slice->sfu, SFU_SLOTS);
}

void shared_units_fields(struct state_stream *stream, struct shared_units *slices)
{
    struct state_section section = state_open(stream, STATE_TAG('U', 'N', 'I', 'T'));
    for (unsigned i = 0; i < SLICES; i++)
        slice_fields(stream, &slices->slice[i]);
    cache_fields(stream, &slices->l2);
    lines_fields(stream, &slices->coming);
    STATE_FIELDS(stream, &slices->l2_disabled, &slices->begun, &slices->end, &slices->busy,
                 &slices->front);
    state_u64s(stream, slices->free_at, SLICES * SLICE_QPUS);
    sparse_fields(stream, slices->unlocked, sizeof *slices->unlocked, SCOREBOARD_QUADS);
    state_close(stream, &section);
}

/* --- counts --- */

void pctr_fields(struct state_stream *stream, struct pctr_counts *counts)
{
    state_u64s(stream, counts->of, PCTR_SOURCES);
    STATE_FIELDS(stream, &counts->clocks, &counts->texels, &counts->errors);
}
