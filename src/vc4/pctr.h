/* SPDX-License-Identifier: MIT */
/* pctr.h - the events that the performance counters can count (manual section 10, table 82).
 *
 * In:  every block adds to its own events as they happen: counts->of[PCTR_FEP_QUADS]++.
 * Out: totals, from which the counters that a program has mapped are read.
 *
 * Events are always counted; a counter is the growth of its source while it was enabled. A tile
 * is counted into its own struct, which is added to the device's when the tile is stored. */
#ifndef VC4_PCTR_H
#define VC4_PCTR_H

#include <stdint.h>

enum pctr_source {
#define PCTR(id, name, unit, text) PCTR_##name = (id),
#include "vc4/pctr.def"
#undef PCTR
    PCTR_SOURCES
};

/* Beside them: clocks of phases (slices.h), accesses to the TMUs' caches, and the bits of V3D_ERRSTAT that
 * have been set. */
struct pctr_counts {
    uint64_t of[PCTR_SOURCES];
    uint64_t clocks, texels;
    uint32_t errors;
};

/* Adds all of *other. */
static inline void pctr_merge(struct pctr_counts *counts, const struct pctr_counts *other)
{
    for (unsigned i = 0; i < PCTR_SOURCES; i++)
        counts->of[i] += other->of[i];
    counts->clocks += other->clocks;
    counts->texels += other->texels;
    counts->errors |= other->errors;
}

/* Adds n events; counts may be NULL. */
static inline void pctr_add(struct pctr_counts *counts, enum pctr_source source, uint64_t n)
{
    if (counts)
        counts->of[source] += n;
}

#endif
