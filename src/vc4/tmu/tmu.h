/* SPDX-License-Identifier: MIT */
/* tmu.h - Texture and Memory Lookup Units, as seen by one QPU (manual section 4).
 *
 * In:  writes to TMUn_S/T/R/B, each with the uniform that the write consumes.
 * Out: vectors of results for r4, in order, through the receive FIFO; events for the performance
 *      counters; cost of the latest request.
 *
 * A slice has two units and four QPUs. For QPUs 2 and 3 of a slice the hardware swaps the units,
 * unless the program writes TMU_NOSWAP. Functions take a unit's number as the program uses it,
 * before the swap. FIFOs and caches belong to the unit that serves the request. */
#ifndef VC4_TMU_TMU_H
#define VC4_TMU_TMU_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/lanes/lanes.h"
#include "vc4/memory/bus.h"
#include "vc4/time/pctr.h"
#include "vc4/time/shared_units.h"
#include "vc4/time/tmu_sizes.h"
#include "vc4/tmu/accesses.h"
#include "vc4/tmu/sampler.h"
#include "vc4/watch/origin.h"

enum {
    TMU_FIFO = 8,     /* request slots, and also result vectors, per QPU and unit */
    TMU_LOOKUPS = 4,  /* limit of memory lookups in flight in the silicon */
    TMU_TEXTURES = 4, /* number of textures whose decoded parameters are kept */
};

/* Registers in the order of addresses 56..59 and 60..63. */
enum tmu_register { TMU_S, TMU_T, TMU_R, TMU_B };

struct tmu_unit {
    lanes coordinate[4];      /* indexed by enum tmu_register; 0 if not written */
    uint32_t written;         /* bit per register that was written for the current request */
    uint32_t parameter[4];    /* uniforms in the order of the writes */
    uint32_t parameter_at[4]; /* addresses of these uniforms */
    uint32_t parameters;      /* number of uniforms consumed; uniforms after the fourth are
                                 ignored */
    uint32_t written_at;      /* address of the instruction that last wrote one of these
                                 registers */
    lanes result[TMU_FIFO];   /* ring buffer */
    uint8_t slots[TMU_FIFO];  /* request slots that become free when this result is read */
    uint8_t lookup[TMU_FIFO]; /* 1 if the result is that of a memory lookup, otherwise 0 */
    uint32_t asked[TMU_FIFO]; /* addresses of the instructions that made the requests */
    uint32_t first, count;
    uint32_t slots_used, lookups_used;
    bool overflowed; /* true if a request was dropped and the drop has been reported */
};

/* A texture that a TMU keeps. Findings about its memory are reported once while it is kept. */
struct tmu_texture {
    uint32_t parameter[TEXTURE_PARAMETERS];
    uint32_t parameters; /* number of parameters; 0 marks an unused entry */
    bool checked;        /* true if the texture's memory has been checked for overlaps with control
                            lists */
};

/* The two units of one QPU. Members above "Private members" may be changed at any time between
 * requests. */
struct tmu {
    uint64_t lookups;         /* number of requests since the TMU was created */
    struct tmu_cost last;     /* cost of the latest request */
    uint32_t line[TMU_LINES]; /* bus addresses in the lines that the latest request fetched from
                                 memory */
    uint32_t pc;              /* address of the instruction that writes to the unit */
    struct origin origin;     /* range of uniforms that the program has read */
    uint32_t parameter_at;    /* address of the uniform that the write consumes, or 0 if unknown */

    /* Private members. */
    uint32_t qpu;     /* number of the QPU, which selects the caches */
    bool l2_disabled; /* true if the level 2 cache was disabled when the program started */
    bool swapped;
    struct tmu_unit unit[TMU_UNITS];
    struct tmu_texture texture[TMU_TEXTURES];
    uint32_t next_texture;
};

/* Decoded textures and blocks of one QPU's units, and the texels of the latest request. They can be
 * rebuilt from struct tmu and memory. Must be zero-initialised. */
struct tmu_textures {
    struct sampler sampler;
    struct texture decoded[TMU_TEXTURES];
    lanes result[2]; /* result words of the latest request */
    unsigned latest; /* number of the latest texture */
};

/* What the units of a QPU are connected to. */
struct tmu_ports {
    struct bus *bus;
    struct fault_log *log;
    struct pctr_counts *counts;      /* NULL if events are not counted */
    struct shared_units *slices;     /* caches; NULL if not modelled */
    struct race *race;               /* sanitizer for data races of user programs, or NULL */
    struct race_reads *reads;        /* if not NULL, lookups are stored here, to be checked by .race
                                     later */
    const struct list_memory *lists; /* for fragment shaders, memory that control lists use;
                                        otherwise NULL */
    const struct tlb_frame *frame;   /* for fragment shaders, the frame that is being drawn;
                                        otherwise NULL */
    struct tmu_textures *textures;
};

struct state_stream;

/* Lists the fields for saved states (base/state.h). */
void tmu_fields(struct state_stream *stream, struct tmu *tmu);

/* Empties all FIFOs. Other state does not change. */
void tmu_reset(struct tmu *tmu);

/* Removes decoded textures, so that findings do not depend on earlier requests. */
void tmu_forget_textures(struct tmu *tmu);

/* Starts a program on a QPU (slice * 4 + index). Swaps the units for QPUs 2 and 3 of a slice. */
void tmu_start(struct tmu *tmu, const struct tmu_ports *ports, uint32_t qpu);

/* Handles a write of element 0 to TMU_NOSWAP. Any value except 0 disables the swap (vc4asm's
 * addendum). */
static inline void tmu_noswap(struct tmu *tmu, uint32_t value)
{
    if (value)
        tmu->swapped = false;
}

/* True if a write to this register consumes a uniform. False only for a memory lookup, which is a
 * write to S without an earlier write to another register. */
bool tmu_needs_parameter(const struct tmu *tmu, unsigned unit, enum tmu_register reg);

/* True if a write to T, R or B of the unit cannot report a finding. */
static inline bool tmu_writes_quietly(const struct tmu *tmu, unsigned unit)
{
    return tmu->unit[unit ^ tmu->swapped].parameters < TEXTURE_PARAMETERS;
}

/* Writes a coordinate. parameter is the uniform that the write consumes, and is ignored if the
 * write needs no uniform. A write to S executes the request and queues its result: one vector, or
 * two vectors for RGBA64. If too many requests or results are in flight, the function reports a
 * finding and drops the request. A request that breaks a rule returns zeros. */
void tmu_write(struct tmu *tmu, const struct tmu_ports *ports, unsigned unit, enum tmu_register reg,
               const lanes *value, uint32_t parameter);

/* Executes a memory lookup, which is a write to S without an earlier write to another register.
 * Returns false and does nothing if the lookup could report a finding. */
bool tmu_look_up_quietly(struct tmu *tmu, const struct tmu_ports *ports, unsigned unit,
                         const lanes *address);

/* Takes the oldest result. Returns false if the FIFO is empty. In this case the hardware would wait
 * forever. */
bool tmu_read(struct tmu *tmu, unsigned unit, lanes *result);

/* Returns the number of request slots whose results have not been read. unit is the program's
 * number of the unit. */
uint32_t tmu_slots_used(const struct tmu *tmu, unsigned unit);

/* Returns the number of results that have not been read, in both units. */
uint32_t tmu_pending(const struct tmu *tmu);

/* Returns the address of the instruction that made the oldest request with an unread result, or 0
 * if all results have been read. */
static inline uint32_t tmu_oldest(const struct tmu *tmu)
{
    for (unsigned i = 0; i < TMU_UNITS; i++)
        if (tmu->unit[i].count)
            return tmu->unit[i].asked[tmu->unit[i].first];
    return 0;
}

/* Returns the address of the instruction that last wrote T, R or B without a write to S after
 * it. */
static inline uint32_t tmu_last_parameter(const struct tmu *tmu)
{
    return tmu->unit[tmu->unit[0].written ? 0 : 1].written_at;
}

/* True if T, R or B of any unit was written and no write to S followed, so that no request was
 * made. */
static inline bool tmu_unfinished(const struct tmu *tmu)
{
    return (tmu->unit[0].written | tmu->unit[1].written) != 0;
}

#endif
