/* SPDX-License-Identifier: MIT */
/* timeline.h - occupancy of a unit that serves one request at a time.
 *
 * In:  requests, each with its earliest time and number of clocks.
 * Out: the time at which each request is done.
 *
 * Programs take turns in the model, so the requests of several programs do not arrive in the order
 * of their times. Time is therefore divided into buckets. For each bucket, a timeline records only
 * the number of clocks in use. A request receives the first free clocks from its earliest time on.
 * A bucket never provides more clocks than its length. The order of requests within one bucket is
 * not modelled. */
#ifndef VC4_TIME_TIMELINE_H
#define VC4_TIME_TIMELINE_H

#include <stdint.h>

enum {
    TIMELINE_CLOCKS = 64,    /* length of a bucket, in clocks */
    TIMELINE_BUCKETS = 1024, /* number of buckets that are remembered */
};

/* Occupancy of one unit. Must be zero-initialised. */
struct timeline {
    uint32_t number[TIMELINE_BUCKETS]; /* number of the bucket in each entry, counted from 1; 0 if
                                          the entry is unused */
    uint8_t taken[TIMELINE_BUCKETS];   /* clocks of the bucket that are in use */
    uint16_t skip[TIMELINE_BUCKETS];   /* distance from a full bucket to the next bucket that may
                                          have free clocks */
};

/* Uses clocks of a unit, from time `from` on. Returns the time after the last of these clocks. If
 * `from` is too old to be remembered, uses no clocks and returns the time at which the request
 * would be done without waiting. */
uint64_t timeline_take(struct timeline *timeline, uint64_t from, uint32_t clocks);

#endif
