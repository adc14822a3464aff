/* SPDX-License-Identifier: MIT */
/* traffic.h - what programs that run side by side share on their way to memory: the TMUs of a slice, the bus from
 * memory, the SoC's own level 2 cache, and the SDRAM.
 *
 * In:  requests of TMUs; lines that caches of the 3D hardware fetch; rows that DMA moves; each with its time.
 * Out: when it is done.
 *
 * Requests may come out of the order of time (timeline.h). Nothing that a program computes depends on this. Durations:
 * timing.h; docs/vc4/timing.md has their sources. */
#ifndef VC4_TRAFFIC_H
#define VC4_TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/timeline.h"

enum {
    TRAFFIC_TMUS = 8, /* of four slices */
    TRAFFIC_BANKS = 8,
    TRAFFIC_SETS = 512, /* of the SoC's level 2 cache */
    TRAFFIC_WAYS = 4,
};

/* Zero-initialise it. */
struct traffic {
    struct timeline tmu[TRAFFIC_TMUS];
    struct timeline bus;
    struct timeline sdram;
    uint32_t row[TRAFFIC_BANKS]; /* of the SDRAM: the open one, plus 1 */
    /* Line number + 1, latest first; bit 31: to be written back. */
    uint32_t line[TRAFFIC_SETS][TRAFFIC_WAYS];
};

/* Programs start, and the host had its turn before: what it has written last fills the SoC's cache. */
void traffic_begin(struct traffic *traffic);

/* When a TMU of a QPU's slice starts with a request that comes at this time. */
uint64_t traffic_tmu(struct traffic *traffic, uint32_t qpu, uint32_t unit, uint64_t time);

/* When a line of memory that is asked for at this time is there. The bus address chooses the way to memory by its top two
 * bits. */
uint64_t traffic_read(struct traffic *traffic, uint32_t address, uint64_t time);

/* The soonest that this can be. */
uint64_t traffic_soonest(uint32_t address, uint64_t time);

/* Whether writing to a line needs nothing more: the SoC's cache has it, was asked for no other line of its set since, and is to
 * write it back anyway. */
bool traffic_holds(const struct traffic *traffic, uint32_t address);

/* When so many bytes have been moved by DMA, from and to memory. */
uint64_t traffic_load(struct traffic *traffic, uint32_t address, uint32_t bytes, uint64_t time);
uint64_t traffic_write(struct traffic *traffic, uint32_t address, uint32_t bytes, uint64_t time);

#endif
