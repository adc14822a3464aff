/* SPDX-License-Identifier: MIT */
/* slices.h - what QPUs share and may have to wait for: the caches and the SFU of a slice, the level 2 cache,
 * the scoreboard of the tile buffer; and from when on each QPU is free.
 *
 * In:  lines that are touched, SFU requests, quads, programs as they start and end.
 * Out: hits and misses, times, the length of each phase and how long QPUs were idle in it.
 *
 * Times are clocks and never go back. A phase is work whose programs run side by side: a tile, or the binner's
 * and users' programs for as long as there are any. Phases follow each other. A tile has a struct slices of
 * its own, so that its counts do not depend on other tiles. Nothing that a program computes depends on this. */
#ifndef VC4_SLICES_H
#define VC4_SLICES_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/cache.h"
#include "vc4/pctr.h"
#include "vc4/tmu.h"

enum {
    SLICES = 4, /* at most; a BCM2835 has three */
    SLICE_QPUS = 4,
    SLICES_LINES = 64,       /* that are remembered as coming */
    SFU_SLOTS = 2048,        /* instructions' time that SFU requests are remembered for */
    SCOREBOARD_QUADS = 1024, /* of a tile of 64 x 64 pixels */
};

/* Lines that caches have asked for, and when they are there. */
struct slices_lines {
    uint32_t line[SLICES_LINES]; /* number + 1 */
    uint64_t there[SLICES_LINES];
};

struct slice {
    struct cache instructions, uniforms, tmu[TMU_UNITS];
    struct slices_lines coming; /* instructions and uniforms */
    struct cache l2; /* what it sees of the level 2 cache, while slices are apart */
    uint64_t
        sfu[SFU_SLOTS]; /* instruction slots in which the SFU takes a request, by their low bits */
};

/* Zero-initialise it, and then clear it. */
struct slices {
    struct slice slice[SLICES];
    struct cache l2;
    struct slices_lines coming; /* to the level 2 cache, while slices are not apart */
    bool ready;                 /* it has been cleared before */
    bool l2_disabled; /* V3D_L2CACTL */
    bool apart;       /* each slice uses its own view of the level 2 cache */

    uint64_t begun, end; /* the phase: its start, the end of its last program so far */
    uint64_t busy;       /* clocks of all its programs together */
    uint64_t front;      /* when the FEP has sent its latest quads */
    uint64_t free_at[SLICES * SLICE_QPUS];
    uint64_t
        unlocked[SCOREBOARD_QUADS]; /* when the latest shader on a quad's pixels lets go of them */
};

/* The slice of a QPU. */
static inline struct slice *slices_of(struct slices *slices, uint32_t qpu)
{
    return &slices->slice[qpu / SLICE_QPUS % SLICES];
}

/* The level 2 cache, as a QPU sees it. */
static inline struct cache *slices_l2(struct slices *slices, uint32_t qpu)
{
    return slices->apart ? &slices_of(slices, qpu)->l2 : &slices->l2;
}

/* From here on slices do not see what the others fetch, so that host threads can work on them side by side; and all of
 * that at once. */
void slices_part(struct slices *slices);
void slices_join(struct slices *slices);

/* Drops all lines of all caches. */
void slices_clear(struct slices *slices);

/* The same for those that a value of V3D_SLCACTL names (manual table 72), and for the level 2 cache. */
void slices_clear_some(struct slices *slices, uint32_t slcactl);
void slices_clear_l2(struct slices *slices);

/* Has the TMUs of a QPU use its slice's caches. */
void slices_wire(struct slices *slices, uint32_t qpu, struct tmu *tmu);

/* Fetches a line for a QPU's slice by way of the level 2 cache, and counts that. Returns whether that had it. */
bool slices_fetch(struct slices *slices, uint32_t qpu, uint32_t address,
                      struct pctr_counts *counts);

/* A line will be there at a time. */
void slices_expect(struct slices_lines *coming, uint32_t address, uint64_t there);

/* When a line is there that a cache has had since then, or has asked for: not before now, and not after the time at which it would be if
 * it was asked for now. */
uint64_t slices_arrival(const struct slices_lines *coming, uint32_t address, uint64_t now,
                        uint64_t latest);

/* When the SFU takes a QPU's request that comes at this time. */
uint64_t slices_sfu(struct slices *slices, uint32_t qpu, uint64_t time);

/* The FEP sends so many quads. Returns when it has. It sends none before a time. */
uint64_t slices_quads(struct slices *slices, uint32_t quads);
void slices_hold_quads(struct slices *slices, uint64_t until);

/* A program that can start at time `from` is given to a QPU: returns when it starts; and when it ends. */
uint64_t slices_start(struct slices *slices, uint32_t qpu, uint64_t from);
void slices_end(struct slices *slices, uint32_t qpu, uint64_t start, uint64_t end);

/* Ends the phase, and counts its clocks and those that its QPUs, so many, were idle. */
void slices_close(struct slices *slices, uint32_t qpus, struct pctr_counts *counts);

#endif
