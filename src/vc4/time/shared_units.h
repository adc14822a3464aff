/* SPDX-License-Identifier: MIT */
/* shared_units.h - units that QPUs share and may have to wait for: the caches and the SFU of a
 * slice, the level 2 cache, and the scoreboard of the tile buffer. Also records when QPUs become
 * free.
 *
 * In:  accessed lines, SFU requests, quads, starts and ends of programs.
 * Out: hits and misses, times, the length of each phase and the idle time of QPUs in it.
 *
 * Times are numbers of clocks and never decrease. A phase is a group of programs that run in
 * parallel: the shaders of a tile, or an uninterrupted series of coordinate shaders and user
 * programs. Phases follow each other. Each tile has its own struct shared_units, so that its counts
 * do not depend on other tiles. No result of a program depends on the times in this file. */
#ifndef VC4_TIME_SHARED_UNITS_H
#define VC4_TIME_SHARED_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/time/cache.h"
#include "vc4/time/pctr.h"
#include "vc4/time/tmu_sizes.h"

enum {
    SLICES = 4, /* limit; a BCM2835 has three slices */
    SLICE_QPUS = 4,
    SLICES_LINES = 64,       /* entries for lines that have been requested and have not arrived */
    SFU_SLOTS = 2048,        /* number of instruction times for which SFU requests are remembered */
    SCOREBOARD_QUADS = 1024, /* quads of a tile of 64 x 64 pixels */
};

/* Lines that caches have requested, and their times of arrival. */
struct shared_units_lines {
    uint32_t line[SLICES_LINES]; /* line number + 1, or 0 if the entry is free */
    uint64_t there[SLICES_LINES];
};

struct slice {
    struct cache instructions, uniforms, tmu[TMU_UNITS];
    struct shared_units_lines coming; /* requested lines of instructions and uniforms */
    struct cache l2; /* private copy of the level 2 cache, used while .apart of struct shared_units
                        is true */
    /* Instruction times, numbered from 1, in which the SFU accepts a request. The index is the
     * number modulo SFU_SLOTS. */
    uint64_t sfu[SFU_SLOTS];
};

/* Timing state of all slices. Must be zero-initialised, and cleared with shared_units_clear(). */
struct shared_units {
    struct slice slice[SLICES];
    struct cache l2;
    struct shared_units_lines coming; /* requested lines of the level 2 cache, used while .apart is
                                         false */
    bool ready;                       /* true after the first call of shared_units_clear() */
    bool l2_disabled;                 /* true if V3D_L2CACTL has disabled the level 2 cache */
    bool apart; /* true while each slice uses its own copy of the level 2 cache */

    uint64_t begun, end; /* start of the phase, and latest end of the phase's programs */
    uint64_t busy;       /* sum of the clocks of the phase's programs */
    uint64_t front;      /* time at which the FEP has sent its latest quads */
    uint64_t free_at[SLICES * SLICE_QPUS];
    /* Time at which the latest shader that works on a quad's pixels unlocks them, for each quad of
     * a tile. */
    uint64_t unlocked[SCOREBOARD_QUADS];
};

struct state_stream;

/* Lists the fields for saved states (base/state.h). *slices must have been cleared, and the slices
 * must not be apart. */
void shared_units_fields(struct state_stream *stream, struct shared_units *slices);

/* Returns the slice of a QPU. */
static inline struct slice *shared_units_of(struct shared_units *slices, uint32_t qpu)
{
    return &slices->slice[qpu / SLICE_QPUS % SLICES];
}

/* Returns the level 2 cache that a QPU uses now. */
static inline struct cache *shared_units_l2(struct shared_units *slices, uint32_t qpu)
{
    return slices->apart ? &shared_units_of(slices, qpu)->l2 : &slices->l2;
}

/* shared_units_part() separates the slices, so that host threads can work on slices in parallel
 * without an effect on the cache hits of other slices. shared_units_join() merges the fetched lines
 * of all slices into the shared level 2 cache. */
void shared_units_part(struct shared_units *slices);
void shared_units_join(struct shared_units *slices);

/* Drops all lines of all caches. */
void shared_units_clear(struct shared_units *slices);

/* shared_units_clear_some() drops all lines of the caches that a value of V3D_SLCACTL selects
 * (manual table 72), and shared_units_clear_l2() drops all lines of the level 2 cache. */
void shared_units_clear_some(struct shared_units *slices, uint32_t slcactl);
void shared_units_clear_l2(struct shared_units *slices);

/* Fetches a line for a QPU's slice through the level 2 cache, and counts the access. Returns true
 * on a hit. */
bool shared_units_fetch(struct shared_units *slices, uint32_t qpu, uint32_t address,
                        struct pctr_counts *counts);

/* Records the time at which a requested line arrives. */
void shared_units_expect(struct shared_units_lines *coming, uint32_t address, uint64_t there);

/* Returns the time at which a line can be used. The line must be in a cache, or must have been
 * requested. The time is between now and `latest`, the time at which a new request would arrive. */
uint64_t shared_units_arrival(const struct shared_units_lines *coming, uint32_t address,
                              uint64_t now, uint64_t latest);

/* Returns the time at which the SFU accepts a request that a QPU makes at the given time. */
uint64_t shared_units_sfu(struct shared_units *slices, uint32_t qpu, uint64_t time);

/* shared_units_quads() sends a number of quads from the FEP, and returns the time at which all
 * quads are sent. shared_units_hold_quads() delays the quads that follow until the given time. */
uint64_t shared_units_quads(struct shared_units *slices, uint32_t quads);
void shared_units_hold_quads(struct shared_units *slices, uint64_t until);

/* shared_units_start() assigns a program to a QPU, and returns the program's start time. The
 * program is ready at time `from`. shared_units_end() records the program's end time. */
uint64_t shared_units_start(struct shared_units *slices, uint32_t qpu, uint64_t from);
void shared_units_end(struct shared_units *slices, uint32_t qpu, uint64_t start, uint64_t end);

/* Ends the phase. Adds the phase's clocks, and the idle clocks of the chip's qpus QPUs, to the
 * counts. */
void shared_units_close(struct shared_units *slices, uint32_t qpus, struct pctr_counts *counts);

#endif
