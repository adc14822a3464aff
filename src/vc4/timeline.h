/* SPDX-License-Identifier: MIT */
/* timeline.h - how much of its time a unit has given away that does one thing at a time for many.
 *
 * In:  requests: from when on, and for how many clocks. Out: when each is done.
 *
 * Programs take turns in the model, so requests come out of the order of time. A unit therefore keeps how many clocks
 * of each bucket are taken, not whose they are: a request gets the first ones that are free from its time on. Together
 * requests never get more than there is; which one waits for which is only as exact as a bucket is long. */
#ifndef VC4_TIMELINE_H
#define VC4_TIMELINE_H

#include <stdint.h>

enum {
    TIMELINE_CLOCKS = 64,    /* of a bucket */
    TIMELINE_BUCKETS = 1024, /* that are remembered */
};

/* Zero-initialise it. */
struct timeline {
    uint32_t number[TIMELINE_BUCKETS]; /* which bucket a place is, counted from 1; 0: none yet */
    uint8_t taken[TIMELINE_BUCKETS];   /* clocks of it */
    uint16_t skip[TIMELINE_BUCKETS];   /* if all are: buckets to the next that may have some */
};

/* Takes so many clocks, one after the other, from a time on. Returns when the last one has passed. Of times that are
 * too old to be remembered nothing is taken: the request is done without waiting. */
uint64_t timeline_take(struct timeline *timeline, uint64_t from, uint32_t clocks);

#endif
