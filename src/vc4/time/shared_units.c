/* SPDX-License-Identifier: MIT */
/* shared_units.c - see shared_units.h.
 *
 * Source:    manual sections 2 (units that slices share; the FEP's four pixels a clock; caches that
 *            fetch through the level 2 cache) and 3 (QPUs of a slice run in phase); table 72;
 *            timing.h.
 * Estimated: the SFU accepts one request of a slice per instruction time; docs/vc4/timing.md. */
#include "vc4/time/shared_units.h"

#include "base/order.h"
#include "vc4/time/timing.h"

static void set_up(struct shared_units *slices)
{
    for (unsigned i = 0; i < SLICES; i++) {
        struct slice *slice = &slices->slice[i];
        cache_init(&slice->instructions, TIMING_CACHE_BYTES, TIMING_CACHE_WAYS, TIMING_LINE);
        cache_init(&slice->uniforms, TIMING_CACHE_BYTES, TIMING_CACHE_WAYS, TIMING_LINE);
        for (unsigned unit = 0; unit < TMU_UNITS; unit++)
            cache_init(&slice->tmu[unit], TMU_CACHE_SIZE, TMU_CACHE_WAYS, TMU_CACHE_LINE);
    }
    cache_init(&slices->l2, TMU_L2_SIZE, TMU_L2_WAYS, TIMING_LINE);
    slices->ready = true;
}

void shared_units_clear(struct shared_units *slices)
{
    if (!slices->ready)
        set_up(slices);
    shared_units_clear_some(slices, UINT32_MAX);
    shared_units_clear_l2(slices);
}

void shared_units_clear_l2(struct shared_units *slices)
{
    cache_clear(&slices->l2);
}

void shared_units_clear_some(struct shared_units *slices, uint32_t slcactl)
{
    enum { ICCS = 0, UCCS = 8, T0CCS = 16, T1CCS = 24 };
    for (unsigned i = 0; i < SLICES; i++) {
        struct slice *slice = &slices->slice[i];
        if (slcactl >> (ICCS + i) & 1)
            cache_clear(&slice->instructions);
        if (slcactl >> (UCCS + i) & 1)
            cache_clear(&slice->uniforms);
        if (slcactl >> (T0CCS + i) & 1)
            cache_clear(&slice->tmu[0]);
        if (slcactl >> (T1CCS + i) & 1)
            cache_clear(&slice->tmu[1]);
    }
}

void shared_units_wire(struct shared_units *slices, uint32_t qpu, struct tmu *tmu)
{
    for (unsigned unit = 0; unit < TMU_UNITS; unit++)
        tmu->cache[unit] = &shared_units_of(slices, qpu)->tmu[unit];
    tmu->l2 = slices->l2_disabled ? NULL : shared_units_l2(slices, qpu);
}

void shared_units_part(struct shared_units *slices)
{
    for (unsigned i = 0; i < SLICES; i++)
        slices->slice[i].l2 = slices->l2;
    slices->apart = true;
}

void shared_units_join(struct shared_units *slices)
{
    const struct cache *view[SLICES];
    for (unsigned i = 0; i < SLICES; i++)
        view[i] = &slices->slice[i].l2;
    cache_merge(&slices->l2, view, SLICES);
    slices->apart = false;
}

bool shared_units_fetch(struct shared_units *slices, uint32_t qpu, uint32_t address,
                        struct pctr_counts *counts)
{
    if (slices->l2_disabled)
        return false;
    bool hit = cache_touch(shared_units_l2(slices, qpu), address);
    pctr_add(counts, hit ? PCTR_L2C_HITS : PCTR_L2C_MISSES, 1);
    return hit;
}

void shared_units_expect(struct shared_units_lines *coming, uint32_t address, uint64_t there)
{
    uint32_t number = address / TIMING_LINE;
    coming->line[number % SLICES_LINES] = number + 1;
    coming->there[number % SLICES_LINES] = there;
}

uint64_t shared_units_arrival(const struct shared_units_lines *coming, uint32_t address,
                              uint64_t now, uint64_t latest)
{
    uint32_t number = address / TIMING_LINE;
    if (coming->line[number % SLICES_LINES] != number + 1)
        return now;
    return least_u64(most_u64(coming->there[number % SLICES_LINES], now), latest);
}

uint64_t shared_units_sfu(struct shared_units *slices, uint32_t qpu, uint64_t time)
{
    uint64_t *taken = shared_units_of(slices, qpu)->sfu;
    uint64_t slot = time / TIMING_SFU + 1; /* numbered from 1, because 0 marks a free entry */
    while (taken[slot % SFU_SLOTS] == slot)
        slot++;
    taken[slot % SFU_SLOTS] = slot;
    uint64_t start = (slot - 1) * TIMING_SFU;
    return start > time ? start : time;
}

/* Rounds a time up to the next start of instructions. All QPUs start their instructions at the same
 * time, every four clocks. */
static uint64_t in_phase(uint64_t time)
{
    return (time + TIMING_INSTRUCTION - 1) / TIMING_INSTRUCTION * TIMING_INSTRUCTION;
}

uint64_t shared_units_quads(struct shared_units *slices, uint32_t quads)
{
    slices->front = most_u64(slices->front, slices->begun) + quads;
    return slices->front;
}

void shared_units_hold_quads(struct shared_units *slices, uint64_t until)
{
    slices->front = most_u64(slices->front, until);
}

uint64_t shared_units_start(struct shared_units *slices, uint32_t qpu, uint64_t from)
{
    uint64_t start = most_u64(most_u64(slices->free_at[qpu], slices->begun), from);
    return in_phase(start);
}

void shared_units_end(struct shared_units *slices, uint32_t qpu, uint64_t start, uint64_t end)
{
    slices->free_at[qpu] = end;
    slices->busy += end - start;
    slices->end = most_u64(slices->end, end);
}

void shared_units_close(struct shared_units *slices, uint32_t qpus, struct pctr_counts *counts)
{
    uint64_t clocks = slices->end - slices->begun, all = clocks * qpus;
    if (counts)
        counts->clocks += clocks;
    /* The busy clocks can exceed the sum of all QPUs' clocks, because a coordinate shader may share
     * a QPU with a user program that waits for the host. */
    pctr_add(counts, PCTR_QPU_IDLE, all > slices->busy ? all - slices->busy : 0);
    slices->begun = slices->end = in_phase(slices->end);
    slices->busy = 0;
}
