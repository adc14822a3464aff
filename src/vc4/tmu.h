/* SPDX-License-Identifier: MIT */
/* tmu.h - Texture and Memory Lookup Units, as one QPU sees them (manual section 4).
 *
 * In:  writes to TMUn_S/T/R/B with the uniform that the write pulls along.
 * Out: vectors of results for r4, in order, through the receive FIFO.
 *
 * The swap of the two units for QPUs 2 and 3 of a slice (TMU_NOSWAP) never changes a result and is
 * not modelled. */
#ifndef VC4_TMU_H
#define VC4_TMU_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/bus.h"
#include "vc4/lanes.h"

enum {
    TMU_UNITS = 2,
    TMU_FIFO = 8, /* request slots and result words per QPU and unit */
};

/* Register order of addresses 56..59 and 60..63. */
enum tmu_register { TMU_S, TMU_T, TMU_R, TMU_B };

struct tmu_unit {
    lanes coordinate[4];     /* by enum tmu_register; 0 if not written */
    uint32_t written;        /* bit per register of the request being built */
    uint32_t parameter[4];   /* uniforms in the order of the writes */
    uint32_t parameters;     /* pulled; those beyond four are dropped */
    lanes result[TMU_FIFO];  /* ring */
    uint8_t slots[TMU_FIFO]; /* request slots that reading this result frees */
    uint32_t first, count;
    uint32_t slots_used;
};

/* The units of one QPU. */
struct tmu {
    struct bus *bus;
    struct fault_log *log;
    struct race *race; /* of user programs, for the run-time sanitizer; may be NULL */
    uint32_t qpu;      /* whose lookups race looks at */
    struct tmu_unit unit[TMU_UNITS];
    uint64_t lookups; /* requests since creation */
};

/* Empties all FIFOs; bus and log stay. */
void tmu_reset(struct tmu *tmu);

/* Whether a write to this register pulls a uniform: all but an S that follows no other register. */
bool tmu_needs_parameter(const struct tmu *tmu, unsigned unit, enum tmu_register reg);

/* Writes a coordinate. parameter is the uniform pulled, ignored where none is needed. A write to S
 * carries the request out and queues its result: one vector, for RGBA64 two. Too many requests or
 * results in flight are a finding; the request is dropped. A request that breaks a rule gives
 * zeros. */
void tmu_write(struct tmu *tmu, unsigned unit, enum tmu_register reg, const lanes *value,
               uint32_t parameter);

/* Takes the oldest result. False when there is none: the hardware would wait for ever. */
bool tmu_read(struct tmu *tmu, unsigned unit, lanes *result);

/* Results not read yet, both units. */
uint32_t tmu_pending(const struct tmu *tmu);

#endif
