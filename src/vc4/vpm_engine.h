/* SPDX-License-Identifier: MIT */
/* vpm_engine.h - when a DMA engine of the VPM, VCD or VDW, is at work: all QPUs share one of each.
 *
 * In:  transfers, with the time at which they could start.
 * Out: when each one ends. An engine does one transfer at a time.
 *
 * QPUs take turns in the model, so a transfer can be asked for after a later one of another QPU: it takes
 * the first gap that is long enough. All times are clocks on a scale that the QPUs share. */
#ifndef VC4_VPM_ENGINE_H
#define VC4_VPM_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

/* Spans that are kept: what 16 QPUs can have under way, and some past. */
enum { VPM_SPANS = 48 };

struct vpm_span {
    uint64_t start, end;
};

/* Zero-initialise it. */
struct vpm_engine {
    struct vpm_span span[VPM_SPANS]; /* in order, none touches its neighbours' insides */
    uint32_t count;
    uint64_t past; /* nothing more fits in before */
};

/* Time begins anew. */
static inline void vpm_engine_restart(struct vpm_engine *engine)
{
    engine->count = 0;
    engine->past = 0;
}

/* When a transfer could start. */
uint64_t vpm_engine_find(const struct vpm_engine *engine, uint64_t earliest, uint64_t clocks);

/* Puts a transfer in. Returns when it ends. */
uint64_t vpm_engine_add(struct vpm_engine *engine, uint64_t earliest, uint64_t clocks);

/* Whether the engine works then. */
bool vpm_engine_busy(const struct vpm_engine *engine, uint64_t now);

#endif
