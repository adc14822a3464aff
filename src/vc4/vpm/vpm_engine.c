/* SPDX-License-Identifier: MIT */
/* vpm_engine.c - see vpm_engine.h.
 *
 * Source: manual section 7: "A new DMA load or store operation cannot be started until the previous
 *         one is complete, but load and store DMA can run concurrently". */
#include "vc4/vpm/vpm_engine.h"

#include <string.h>

/* Drops the oldest span, which is the first in the list. */
static void forget_oldest(struct vpm_engine *engine)
{
    engine->past = engine->span[0].end;
    engine->count--;
    memmove(engine->span, engine->span + 1, engine->count * sizeof *engine->span);
}

/* Finds the first gap that is long enough. Returns the index of the span after the gap, and sets
 * *start to the start of the gap. */
static uint32_t find_gap(const struct vpm_engine *engine, uint64_t *start, uint64_t clocks)
{
    uint32_t place = engine->count;
    if (*start < engine->past)
        *start = engine->past;
    /* Searches from the end, because most transfers are later than all transfers in the list. */
    while (place && engine->span[place - 1].end > *start)
        place--;
    for (; place<engine->count && * start + clocks> engine->span[place].start; place++)
        if (*start < engine->span[place].end)
            *start = engine->span[place].end;
    return place;
}

uint64_t vpm_engine_find(const struct vpm_engine *engine, uint64_t earliest, uint64_t clocks)
{
    find_gap(engine, &earliest, clocks);
    return earliest;
}

uint64_t vpm_engine_add(struct vpm_engine *engine, uint64_t earliest, uint64_t clocks)
{
    if (engine->count == VPM_SPANS)
        forget_oldest(engine);
    uint64_t start = earliest;
    uint32_t place = find_gap(engine, &start, clocks);
    struct vpm_span *gap = engine->span + place;
    memmove(gap + 1, gap, (engine->count++ - place) * sizeof *gap);
    *gap = (struct vpm_span){.start = start, .end = start + clocks};
    return gap->end;
}

bool vpm_engine_busy(const struct vpm_engine *engine, uint64_t now)
{
    for (uint32_t i = engine->count; i-- && engine->span[i].end > now;)
        if (engine->span[i].start <= now)
            return true;
    return false;
}
