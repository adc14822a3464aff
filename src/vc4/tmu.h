/* SPDX-License-Identifier: MIT */
/* tmu.h - Texture and Memory Lookup Units, as one QPU sees them (manual section 4).
 *
 * In:  writes to TMUn_S/T/R/B with the uniform that the write pulls along.
 * Out: vectors of results for r4, in order, through the receive FIFO; events for the performance
 *      counters; what the latest request cost.
 *
 * A slice has two units and four QPUs. For QPUs 2 and 3 of a slice the hardware swaps them, unless
 * the program writes TMU_NOSWAP. Units are counted here as the program names them; FIFOs and caches
 * belong to the unit that serves the request. */
#ifndef VC4_TMU_H
#define VC4_TMU_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/bus.h"
#include "vc4/cache.h"
#include "vc4/lanes.h"
#include "vc4/origin.h"
#include "vc4/pctr.h"
#include "vc4/sampler.h"

enum {
    TMU_UNITS = 2,
    TMU_FIFO = 8,          /* request slots and result words per QPU and unit */
    TMU_LOOKUPS = 4,       /* memory lookups in flight that silicon keeps apart */
    TMU_TEXTURES = 4,      /* textures whose parameters are kept taken apart */
    TMU_CACHE_SIZE = 4096, /* bytes per unit */
    TMU_CACHE_WAYS = 1,    /* docs/vc4/tmu.md says why */
    TMU_CACHE_LINE = 64,   /* bytes: a microtile */
    TMU_L2_SIZE = 32768,   /* bytes of the level 2 cache */
    TMU_L2_WAYS = 4,
    TMU_LINES = 128, /* that a request can need: 16 elements, two levels of four texels each */
};

/* Register order of addresses 56..59 and 60..63. */
enum tmu_register { TMU_S, TMU_T, TMU_R, TMU_B };

struct tmu_unit {
    lanes coordinate[4];      /* by enum tmu_register; 0 if not written */
    uint32_t written;         /* bit per register of the request being built */
    uint32_t written_at;      /* the instruction that wrote the latest of them */
    uint32_t parameter[4];    /* uniforms in the order of the writes */
    uint32_t parameter_at[4]; /* their addresses */
    uint32_t parameters;      /* pulled; those beyond four are dropped */
    lanes result[TMU_FIFO];   /* ring */
    uint8_t slots[TMU_FIFO];  /* request slots that reading this result frees */
    uint8_t lookup[TMU_FIFO]; /* 1 for the result of a memory lookup */
    uint32_t asked[TMU_FIFO]; /* addresses of the instructions that made the requests */
    uint32_t first, count;
    uint32_t slots_used, lookups_used;
    bool overflowed; /* a request was dropped, and has been reported */
};

/* What a request took. Without caches there are no misses. */
struct tmu_cost {
    uint32_t unit;      /* the one that served it */
    uint32_t texels;    /* read from memory or cache, by all lanes; words for a lookup */
    uint32_t misses;    /* lines that the unit's cache had to fetch */
    uint32_t l2_misses; /* of these, lines that came from memory */
};

/* The units of one QPU. What is not private may be set at any time between requests. */
struct tmu {
    struct bus *bus;
    struct fault_log *log;
    struct pctr_counts *counts;     /* NULL: events are not counted */
    struct cache *cache[TMU_UNITS]; /* of the units of this QPU's slice; NULL: not modelled */
    struct cache *l2;               /* the level 2 cache; NULL: not modelled */
    uint64_t lookups;               /* requests since creation */
    struct tmu_cost last;           /* of the latest request */
    uint32_t line[TMU_LINES];       /* bus addresses in the lines that it needed from memory */
    struct race *race;              /* of user programs, for the run-time sanitizer; may be NULL */
    uint32_t qpu;                   /* whose lookups race looks at */
    struct race_reads *reads;       /* if not NULL, they are kept here for it */
    uint32_t pc;                    /* of the instruction that writes */
    const struct list_memory *lists; /* of fragment shaders: what memory lists use; else NULL */
    const struct tlb_frame *frame;   /* likewise: what they draw into */
    struct origin origin;           /* the uniforms that its program has read */
    uint32_t parameter_at;          /* the uniform that the write pulls along; 0: not known */

    /* private */
    bool swapped;
    struct tmu_unit unit[TMU_UNITS];
    struct sampler sampler;
    struct texture texture[TMU_TEXTURES];
    uint32_t next_texture;
};

/* Empties all FIFOs; all else stays. */
void tmu_reset(struct tmu *tmu);

/* Forgets textures that were taken apart: findings about them do not depend on what the units
 * did before. */
void tmu_forget_textures(struct tmu *tmu);

/* A program starts on this QPU (its number, slice * 4 + index): units swap again. */
static inline void tmu_start(struct tmu *tmu, uint32_t qpu)
{
    tmu->swapped = qpu >> 1 & 1;
    for (unsigned i = 0; i < TMU_UNITS; i++)
        tmu->unit[i].overflowed = false;
}

/* A write of TMU_NOSWAP: element 0. Any value but 0 counts (vc4asm's addendum). */
static inline void tmu_noswap(struct tmu *tmu, uint32_t value)
{
    if (value)
        tmu->swapped = false;
}

/* Whether a write to this register pulls a uniform: all but an S that follows no other register. */
bool tmu_needs_parameter(const struct tmu *tmu, unsigned unit, enum tmu_register reg);

/* Writes a coordinate. parameter is the uniform pulled, ignored where none is needed. A write to S
 * carries the request out and queues its result: one vector, for RGBA64 two. Too many requests or
 * results in flight are a finding; the request is dropped. A request that breaks a rule gives
 * zeros. */
void tmu_write(struct tmu *tmu, unsigned unit, enum tmu_register reg, const lanes *value,
               uint32_t parameter);

/* The same for a memory lookup: a write to S that follows no other register. False, and nothing is done, if there could be
 * anything to tell of it. */
bool tmu_look_up_quietly(struct tmu *tmu, unsigned unit, const lanes *address);

/* Takes the oldest result. False when there is none: the hardware would wait for ever. */
bool tmu_read(struct tmu *tmu, unsigned unit, lanes *result);

/* Request slots of a unit, as the program names it, whose results were not read yet. */
uint32_t tmu_slots_used(const struct tmu *tmu, unsigned unit);

/* Results not read yet, both units. */
uint32_t tmu_pending(const struct tmu *tmu);

/* The instruction that made the oldest request whose result was not read; 0: there is none. */
static inline uint32_t tmu_oldest(const struct tmu *tmu)
{
    for (unsigned i = 0; i < TMU_UNITS; i++)
        if (tmu->unit[i].count)
            return tmu->unit[i].asked[tmu->unit[i].first];
    return 0;
}

/* The instruction that wrote T, R or B last. */
static inline uint32_t tmu_last_parameter(const struct tmu *tmu)
{
    return tmu->unit[tmu->unit[0].written ? 0 : 1].written_at;
}

/* Whether T, R or B was written and no S after it, in any unit: no request was made of them. */
static inline bool tmu_unfinished(const struct tmu *tmu)
{
    return (tmu->unit[0].written | tmu->unit[1].written) != 0;
}

#endif
