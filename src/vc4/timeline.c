/* SPDX-License-Identifier: MIT */
/* timeline.c - see timeline.h. */
#include "vc4/timeline.h"

#include <stddef.h>

#include "base/order.h"

/* What is taken of a bucket; NULL if it is forgotten. */
static uint8_t *find(struct timeline *timeline, uint64_t bucket)
{
    uint32_t place = (uint32_t)(bucket % TIMELINE_BUCKETS), number = (uint32_t)bucket + 1;
    if (timeline->number[place] == number)
        return &timeline->taken[place];
    if ((int32_t)(timeline->number[place] - number) > 0)
        return NULL;
    timeline->number[place] = number;
    timeline->taken[place] = 0;
    return &timeline->taken[place];
}

uint64_t timeline_take(struct timeline *timeline, uint64_t from, uint32_t clocks)
{
    uint64_t bucket = from / TIMELINE_CLOCKS;
    uint32_t at = (uint32_t)(from % TIMELINE_CLOCKS);
    for (;; bucket++, at = 0) {
        uint8_t *taken = find(timeline, bucket);
        if (!taken)
            return bucket * TIMELINE_CLOCKS + at + clocks;
        if (*taken > at)
            at = *taken;
        uint32_t here = least_u32(TIMELINE_CLOCKS - at, clocks);
        *taken = (uint8_t)(*taken + here);
        clocks -= here;
        if (clocks == 0)
            return bucket * TIMELINE_CLOCKS + at + here;
    }
}
