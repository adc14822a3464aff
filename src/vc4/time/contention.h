/* SPDX-License-Identifier: MIT */
/* contention.h - memory contention: delays in the units that programs share on their path to
 * memory. The units are the TMUs of a slice, the bus from memory, the SoC's own level 2 cache, and
 * the SDRAM.
 *
 * In:  times of requests: of TMUs, of cache lines that the 3D hardware fetches, and of rows that
 *      DMA moves.
 * Out: times at which the requests are done.
 *
 * The times of successive calls need not increase (struct timeline). Contention changes only
 * times; the data that programs compute is the same. Durations are in timing.h, their sources in
 * docs/vc4/timing.md. */
#ifndef VC4_TIME_CONTENTION_H
#define VC4_TIME_CONTENTION_H

#include <stdbool.h>
#include <stdint.h>

enum {
    TIMELINE_CLOCKS = 64,    /* length of a bucket, in clocks */
    TIMELINE_BUCKETS = 1024, /* number of buckets that are remembered */
};

/* Occupancy of one unit that serves one request at a time. Must be zero-initialised.
 *
 * Programs take turns in the model, so the requests of several programs do not arrive in the order
 * of their times. Time is therefore divided into buckets. For each bucket, a timeline records only
 * the number of clocks in use. A request receives the first free clocks from its earliest time on.
 * A bucket never provides more clocks than its length. The order of requests within one bucket is
 * not modelled. */
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

enum {
    TRAFFIC_TMUS = 8, /* two TMUs in each of four slices */
    TRAFFIC_BANKS = 8,
    TRAFFIC_SETS = 512, /* sets of the SoC's level 2 cache */
    TRAFFIC_WAYS = 4,   /* lines per set */
};

/* Times at which the shared units are busy, and the state of the SDRAM and the SoC's cache. Must be
 * zero-initialised. */
struct contention {
    struct timeline tmu[TRAFFIC_TMUS];
    struct timeline bus;
    struct timeline sdram;
    uint32_t row[TRAFFIC_BANKS]; /* number of the open row of each SDRAM bank + 1, or 0 */
    /* Lines of each set, the most recently used line first. Each entry is the line number + 1, or 0
     * if it is empty. Bit 31 is set if the line must be written back. */
    uint32_t line[TRAFFIC_SETS][TRAFFIC_WAYS];
};

/* Fills the SoC's cache with lines that the host wrote. Called before programs start, because the
 * host has used the cache since the previous programs. */
void contention_begin(struct contention *contention);

struct state_stream;

/* Lists the fields for saved states (base/state.h). */
void contention_fields(struct state_stream *stream, struct contention *contention);

/* Returns the time at which TMU `unit` of the slice of QPU `qpu` starts a request that arrives at
 * `time`. */
uint64_t contention_tmu(struct contention *contention, uint32_t qpu, uint32_t unit, uint64_t time);

/* Returns the time at which a line of memory arrives that is requested at `time`. The top two bits
 * of the bus address select the path to memory. */
uint64_t contention_read(struct contention *contention, uint32_t address, uint64_t time);

/* Returns the earliest result that contention_read() can have for the same arguments. */
uint64_t contention_soonest(uint32_t address, uint64_t time);

/* Returns true if a write to the line at address would change no state: the line is the most
 * recently used line of its set in the SoC's cache, and is already marked for write-back. */
bool contention_holds(const struct contention *contention, uint32_t address);

/* contention_load() returns the time at which DMA has read `bytes` bytes from memory.
 * contention_write() returns the time at which DMA has written `bytes` bytes to memory. The access
 * starts at `time` or later. */
uint64_t contention_load(struct contention *contention, uint32_t address, uint32_t bytes,
                         uint64_t time);
uint64_t contention_write(struct contention *contention, uint32_t address, uint32_t bytes,
                          uint64_t time);

#endif
