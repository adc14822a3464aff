/* SPDX-License-Identifier: MIT */
/* pctr.h - the events that the performance counters can count (manual section 10, table 82).
 *
 * In:  events. Each block adds its events as they happen: counts->of[PCTR_FEP_QUADS]++.
 * Out: the total of each source of events. The values of the counters that the host has assigned to
 *      sources are computed from the totals.
 *
 * Events are always counted. The value of a counter is the increase of its source's total while the
 * counter is enabled. Each tile job has its own struct pctr_counts, which is added to the device's
 * struct when the job is committed. */
#ifndef VC4_TIME_PCTR_H
#define VC4_TIME_PCTR_H

#include <stdint.h>

enum pctr_source {
#define PCTR(id, name, unit, text) PCTR_##name = (id),
#include "vc4/time/pctr.def"
#undef PCTR
    PCTR_SOURCES
};

/* Totals of all sources, and three further values. */
struct pctr_counts {
    uint64_t of[PCTR_SOURCES];
    uint64_t clocks, texels; /* clocks of timing phases (shared_units.h); TMU cache accesses */
    uint32_t errors;         /* bits that were set in V3D_ERRSTAT */
};

struct state_stream;

/* Lists all totals for saved states (base/state.h). */
void pctr_fields(struct state_stream *stream, struct pctr_counts *counts);

/* Adds all totals of *other to *counts. */
static inline void pctr_merge(struct pctr_counts *counts, const struct pctr_counts *other)
{
    for (unsigned i = 0; i < PCTR_SOURCES; i++)
        counts->of[i] += other->of[i];
    counts->clocks += other->clocks;
    counts->texels += other->texels;
    counts->errors |= other->errors;
}

/* Adds n events to a source. counts may be NULL. */
static inline void pctr_add(struct pctr_counts *counts, enum pctr_source source, uint64_t n)
{
    if (counts)
        counts->of[source] += n;
}

#endif
