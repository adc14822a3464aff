/* SPDX-License-Identifier: MIT */
/* qpu_cycles.c - see qpu_cycles.h.
 *
 * Source: timing.h. docs/vc4/timing.md says what is measured and what is estimated.
 * Left out: contention of the QPUs of a slice for TMU, SFU and caches; stalls of arbitration. */
#include "vc4/qpu_cycles.h"

#include "base/bits.h"
#include "vc4/pctr.h"
#include "vc4/qpu.h"
#include "vc4/qpu_run.h"
#include "vc4/timing.h"

_Static_assert(QPU_COUNT == 4 * QPU_SLICES, "four QPUs to a slice");

uint64_t qpu_clock(const struct qpu *qpu)
{
    return qpu->instructions * TIMING_INSTRUCTION + qpu->times.stalled;
}

struct qpu_cycles qpu_cycles(const struct qpu *qpu)
{
    const struct qpu_times *times = &qpu->times;
    struct qpu_cycles cycles = {
        .clock = qpu_clock(qpu),
        .issue = qpu->instructions * TIMING_INSTRUCTION,
        .instruction_hits = qpu->instructions - times->instruction_misses,
        .instruction_misses = times->instruction_misses,
        .uniform_hits = times->uniforms - times->uniform_misses,
        .uniform_misses = times->uniform_misses,
    };
    for (unsigned i = 0; i < QPU_STALLS; i++)
        cycles.stall[i] = times->stall[i];
    return cycles;
}

static void stall(struct qpu *qpu, uint64_t clocks, enum qpu_stall cause)
{
    qpu->times.stalled += clocks;
    qpu->times.stall[cause] += clocks;
}

void qpu_stall_until(struct qpu *qpu, uint64_t clock, enum qpu_stall cause)
{
    uint64_t now = qpu_clock(qpu);
    if (clock > now)
        stall(qpu, clock - now, cause);
}

/* --- caches --- */

void qpu_caches_clear(struct qpu_caches *caches)
{
    for (unsigned i = 0; i < QPU_SLICES; i++) {
        cache_init(&caches->instructions[i], TIMING_CACHE_BYTES, TIMING_CACHE_WAYS, TIMING_LINE);
        cache_init(&caches->uniforms[i], TIMING_CACHE_BYTES, TIMING_CACHE_WAYS, TIMING_LINE);
    }
    caches->ready = true;
}

/* The caches of the program's slice; NULL if they are not modelled. */
static struct qpu_caches *caches_of(const struct qpu_run *run)
{
    struct qpu_caches *caches = run->ports->cache ? &run->ports->cache->caches : NULL;
    if (caches && !caches->ready)
        qpu_caches_clear(caches);
    return caches;
}

/* What a line costs that the slice's cache does not hold. */
static uint32_t fetch_cost(const struct qpu_run *run, uint32_t address)
{
    const struct qpu_ports *ports = run->ports;
    if (!ports->l2)
        return TIMING_FROM_MEMORY;
    bool hit = cache_touch(ports->l2, address);
    if (ports->counts)
        ports->counts->of[hit ? PCTR_L2C_HITS : PCTR_L2C_MISSES]++;
    return hit ? TIMING_FROM_L2 : TIMING_FROM_MEMORY;
}

void qpu_fetch_line(struct qpu_run *run, uint32_t address)
{
    struct qpu *qpu = run->qpu;
    struct qpu_caches *caches = caches_of(run);
    qpu->times.line = address / TIMING_LINE + 1;
    if (!caches || cache_touch(&caches->instructions[qpu->number / 4 % QPU_SLICES], address))
        return;
    qpu->times.instruction_misses++;
    stall(qpu, fetch_cost(run, address), QPU_STALL_INSTRUCTION);
}

void qpu_uniform_line(struct qpu_run *run, uint32_t address)
{
    struct qpu *qpu = run->qpu;
    struct qpu_caches *caches = caches_of(run);
    uint32_t line = address / TIMING_LINE + 1;
    if (qpu->times.uniform_line == line)
        return;
    qpu->times.uniform_line = line;
    if (!caches || cache_touch(&caches->uniforms[qpu->number / 4 % QPU_SLICES], address))
        return;
    qpu->times.uniform_misses++;
    stall(qpu, fetch_cost(run, address), QPU_STALL_UNIFORM);
}

/* --- TMU --- */

static uint32_t request_latency(const struct tmu_cost *cost)
{
    if (cost->l2_misses)
        return TIMING_TMU + TIMING_FROM_MEMORY;
    return TIMING_TMU + (cost->misses ? TIMING_FROM_L2 : 0u);
}

void qpu_tmu_request(struct qpu *qpu, const struct tmu *tmu, unsigned unit, uint32_t words)
{
    struct qpu_tmu_times *times = &qpu->times.tmu[unit];
    uint64_t now = qpu_clock(qpu), start = times->free_at > now ? times->free_at : now;
    times->free_at = start + TIMING_TMU_REQUEST;
    qpu->times.tmu_requests++;
    for (uint32_t i = 0; i < words && times->count < TMU_FIFO; i++)
        times->ready[(times->first + times->count++) % TMU_FIFO] = start +
                                                                   request_latency(&tmu->last);
}

void qpu_tmu_result(struct qpu *qpu, unsigned unit)
{
    struct qpu_tmu_times *times = &qpu->times.tmu[unit];
    if (times->count == 0)
        return;
    qpu_stall_until(qpu, times->ready[times->first], QPU_STALL_TMU);
    times->first = (times->first + 1) % TMU_FIFO;
    times->count--;
}

/* The other thread fills the time until results have come. */
void qpu_thread_switch(struct qpu *qpu)
{
    for (unsigned unit = 0; unit < TMU_UNITS; unit++)
        for (unsigned i = 0; i < TMU_FIFO; i++)
            qpu->times.tmu[unit].ready[i] = 0;
}

/* --- VPM and varyings --- */

void qpu_vpm_setup(struct qpu *qpu)
{
    qpu->times.vpm_ready = qpu_clock(qpu) + TIMING_VPM_READ;
}

void qpu_varying(struct qpu *qpu)
{
    uint32_t number = qpu->times.varyings++;
    qpu_stall_until(qpu, TIMING_FIRST_VARYING + (uint64_t)number * TIMING_VARYING,
                    QPU_STALL_VARYING);
}

/* --- performance counters --- */

void qpu_count_events(const struct qpu *qpu, const struct qpu_cycles *before,
                      struct pctr_counts *counts)
{
    struct qpu_cycles now = qpu_cycles(qpu);
    uint64_t clocks = now.clock - before->clock;
    if (qpu->kind == QPU_FRAGMENT)
        counts->of[PCTR_QPU_FRAGMENT] += clocks;
    if (qpu->kind == QPU_VERTEX || qpu->kind == QPU_COORDINATE)
        counts->of[PCTR_QPU_VERTEX] += clocks;
    counts->of[PCTR_QPU_VALID] += now.issue - before->issue;
    counts->of[PCTR_QPU_TMU_STALL] += now.stall[QPU_STALL_TMU] - before->stall[QPU_STALL_TMU];
    counts->of[PCTR_QPU_SCOREBOARD_STALL] += now.stall[QPU_STALL_SCOREBOARD] -
                                             before->stall[QPU_STALL_SCOREBOARD];
    counts->of[PCTR_QPU_VARYING_STALL] += now.stall[QPU_STALL_VARYING] -
                                          before->stall[QPU_STALL_VARYING];
    counts->of[PCTR_QPU_INSTRUCTION_HITS] += now.instruction_hits - before->instruction_hits;
    counts->of[PCTR_QPU_INSTRUCTION_MISSES] += now.instruction_misses - before->instruction_misses;
    counts->of[PCTR_QPU_UNIFORM_HITS] += now.uniform_hits - before->uniform_hits;
    counts->of[PCTR_QPU_UNIFORM_MISSES] += now.uniform_misses - before->uniform_misses;
}
