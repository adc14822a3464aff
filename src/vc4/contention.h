/* SPDX-License-Identifier: MIT */
/* contention.h - memory contention: the units that programs share on their path to memory, which
 * are the TMUs of a slice, the bus from memory, the SoC's own level 2 cache, and the SDRAM.
 *
 * In:  requests of TMUs; lines that caches of the 3D hardware fetch; rows that DMA moves; each with
 *      its time.
 * Out: times at which they are done.
 *
 * Requests may arrive out of the order of time (timeline.h). No result of a program depends on this
 * file. Durations are in timing.h; docs/vc4/timing.md has their sources. */
#ifndef VC4_CONTENTION_H
#define VC4_CONTENTION_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/timeline.h"

enum {
    TRAFFIC_TMUS = 8, /* TMUs of four slices */
    TRAFFIC_BANKS = 8,
    TRAFFIC_SETS = 512, /* of the SoC's level 2 cache */
    TRAFFIC_WAYS = 4,
};

/* Occupancy of the shared units, and state of memory. Must be zero-initialised. */
struct contention {
    struct timeline tmu[TRAFFIC_TMUS];
    struct timeline bus;
    struct timeline sdram;
    uint32_t row[TRAFFIC_BANKS]; /* open row of each SDRAM bank, plus 1 */
    /* Line number + 1, latest first; bit 31 is set if the line must be written back. */
    uint32_t line[TRAFFIC_SETS][TRAFFIC_WAYS];
};

/* Prepares for programs that start after the host had its turn: the host's latest writes fill the
 * SoC's cache. */
void contention_begin(struct contention *contention);

/* Returns the time at which a TMU of a QPU's slice starts a request that arrives at this time. */
uint64_t contention_tmu(struct contention *contention, uint32_t qpu, uint32_t unit, uint64_t time);

/* Returns the arrival time of a line of memory that is requested at this time. The top two bits of
 * the bus address select the path to memory. */
uint64_t contention_read(struct contention *contention, uint32_t address, uint64_t time);

/* Returns the earliest time at which contention_read() can have the line. */
uint64_t contention_soonest(uint32_t address, uint64_t time);

/* True if a write to a line needs no further modelling: the line is the latest of its set in the
 * SoC's cache and is already to be written back. */
bool contention_holds(const struct contention *contention, uint32_t address);

/* Return the time at which DMA has moved size bytes from memory, and to memory. */
uint64_t contention_load(struct contention *contention, uint32_t address, uint32_t bytes,
                         uint64_t time);
uint64_t contention_write(struct contention *contention, uint32_t address, uint32_t bytes,
                          uint64_t time);

#endif
