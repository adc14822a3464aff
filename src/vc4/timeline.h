/* SPDX-License-Identifier: MIT */
/* timeline.h - occupancy of a unit that serves one request at a time.
 *
 * In:  requests: earliest time and number of clocks.
 * Out: the time at which each request is done.
 *
 * Programs take turns in the model, so requests do not arrive in the order of time. For each bucket
 * of clocks, a timeline therefore records only the number of clocks in use. A request receives the
 * first free clocks from its earliest time on. All requests together never receive more clocks than
 * a bucket has. The order among requests is only accurate to the length of a bucket. */
#ifndef VC4_TIMELINE_H
#define VC4_TIMELINE_H

#include <stdint.h>

enum {
    TIMELINE_CLOCKS = 64,    /* clocks of a bucket */
    TIMELINE_BUCKETS = 1024, /* buckets that are remembered */
};

/* Occupancy of one unit. Must be zero-initialised. */
struct timeline {
    uint32_t number[TIMELINE_BUCKETS]; /* number of the bucket in each entry, counted from 1; 0
                                          if unused */
    uint8_t taken[TIMELINE_BUCKETS];   /* clocks in use */
    uint16_t skip[TIMELINE_BUCKETS];   /* for a full bucket: distance to the next one that may
                                          have free clocks */
};

/* Takes clocks from a unit, from time `from` on. Returns the time at which the last of them has
 * passed. If `from` is too old to be remembered, takes none and returns the time without
 * waiting. */
uint64_t timeline_take(struct timeline *timeline, uint64_t from, uint32_t clocks);

#endif
