/* SPDX-License-Identifier: MIT */
/* timeline.c - see timeline.h. */
#include "vc4/time/timeline.h"

#include <stddef.h>

#include "base/order.h"

/* Returns the entry of a bucket, or TIMELINE_BUCKETS if the bucket is too old to be remembered. */
static uint32_t find(struct timeline *timeline, uint64_t bucket)
{
    uint32_t place = (uint32_t)(bucket % TIMELINE_BUCKETS), number = (uint32_t)bucket + 1;
    if (timeline->number[place] == number)
        return place;
    if ((int32_t)(timeline->number[place] - number) > 0)
        return TIMELINE_BUCKETS;
    timeline->number[place] = number;
    timeline->taken[place] = 0;
    return place;
}

/* Returns the bucket at which a search continues after a full bucket. If that bucket is full as
 * well, increases the skip distance of the first bucket, so that later searches are shorter. */
static uint64_t skip_full(struct timeline *timeline, uint64_t bucket, uint32_t place)
{
    uint64_t next = bucket + timeline->skip[place];
    uint32_t there = (uint32_t)(next % TIMELINE_BUCKETS);
    uint32_t farther = timeline->skip[place] + (uint32_t)timeline->skip[there];
    if (timeline->number[there] == (uint32_t)next + 1 &&
        timeline->taken[there] == TIMELINE_CLOCKS && farther < TIMELINE_BUCKETS)
        timeline->skip[place] = (uint16_t)farther;
    return next;
}

uint64_t timeline_take(struct timeline *timeline, uint64_t from, uint32_t clocks)
{
    uint64_t bucket = from / TIMELINE_CLOCKS;
    uint32_t at = (uint32_t)(from % TIMELINE_CLOCKS);
    for (;; at = 0) {
        uint32_t place = find(timeline, bucket);
        if (place == TIMELINE_BUCKETS)
            return bucket * TIMELINE_CLOCKS + at + clocks;
        if (timeline->taken[place] == TIMELINE_CLOCKS) {
            bucket = skip_full(timeline, bucket, place);
            continue;
        }
        at = most_u32(at, timeline->taken[place]);
        uint32_t here = least_u32(TIMELINE_CLOCKS - at, clocks);
        timeline->taken[place] = (uint8_t)(timeline->taken[place] + here);
        timeline->skip[place] = 1;
        clocks -= here;
        if (clocks == 0)
            return bucket * TIMELINE_CLOCKS + at + here;
        bucket++;
    }
}
