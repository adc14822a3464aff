/* SPDX-License-Identifier: MIT */
/* vpm_engine.h - busy times of a DMA engine of the VPM, VCD or VDW. All QPUs share one engine of
 * each kind.
 *
 * In:  transfers, with the earliest time for each start.
 * Out: the end of each transfer. An engine runs one transfer at a time.
 *
 * QPUs take turns in the model, so a transfer can be requested after a later one of another QPU.
 * The transfer then uses the first gap that is long enough. All times are clocks on a scale that
 * the QPUs share. */
#ifndef VC4_VPM_ENGINE_H
#define VC4_VPM_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

/* Capacity for spans: enough for the transfers that 16 QPUs can have in progress, and for some past
 * transfers. */
enum { VPM_SPANS = 48 };

struct vpm_span {
    uint64_t start, end;
};

/* Busy times of one engine. Must be zero-initialised. */
struct vpm_engine {
    struct vpm_span span[VPM_SPANS]; /* sorted by time, without overlaps */
    uint32_t count;
    uint64_t past; /* transfers cannot start before this time */
};

/* Forgets all transfers: time restarts. */
static inline void vpm_engine_restart(struct vpm_engine *engine)
{
    engine->count = 0;
    engine->past = 0;
}

/* Returns the time at which a transfer of this length can start. */
uint64_t vpm_engine_find(const struct vpm_engine *engine, uint64_t earliest, uint64_t clocks);

/* Adds a transfer. Returns the time at which it ends. */
uint64_t vpm_engine_add(struct vpm_engine *engine, uint64_t earliest, uint64_t clocks);

/* True if the engine is busy at a time. */
bool vpm_engine_busy(const struct vpm_engine *engine, uint64_t now);

#endif
