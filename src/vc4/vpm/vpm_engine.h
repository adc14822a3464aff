/* SPDX-License-Identifier: MIT */
/* vpm_engine.h - busy times of one of the VPM's DMA engines (VCD or VDW). All QPUs share one VCD
 * and one VDW.
 *
 * In:  transfers, with the earliest time for each start.
 * Out: the end of each transfer. An engine runs one transfer at a time.
 *
 * QPUs take turns in the model, so a QPU can request a transfer after another QPU has requested a
 * later transfer. The earlier transfer then uses the first gap that is long enough. Times are
 * clocks of the clock that all QPUs share. */
#ifndef VC4_VPM_VPM_ENGINE_H
#define VC4_VPM_VPM_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

/* Capacity for spans. It is enough for the transfers that 16 QPUs can have in progress, and for
 * some past transfers. */
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

/* Removes all transfers and restarts time at 0. */
static inline void vpm_engine_restart(struct vpm_engine *engine)
{
    engine->count = 0;
    engine->past = 0;
}

/* Returns the time at which a transfer of this length can start, which is no earlier than
 * `earliest`. */
uint64_t vpm_engine_find(const struct vpm_engine *engine, uint64_t earliest, uint64_t clocks);

/* Adds a transfer, which starts at the first possible time from `earliest` on. Returns the time at
 * which the transfer ends. */
uint64_t vpm_engine_add(struct vpm_engine *engine, uint64_t earliest, uint64_t clocks);

/* True if the engine is busy at time `now`. */
bool vpm_engine_busy(const struct vpm_engine *engine, uint64_t now);

#endif
