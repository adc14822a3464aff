/* SPDX-License-Identifier: MIT */
/* qpu_cycles.c - see qpu_cycles.h.
 *
 * Source: timing.h. docs/vc4/timing.md says what is measured and what is estimated.
 * Left out: contention of the QPUs of a slice for TMU and caches; stalls of arbitration. */
#include "vc4/qpu_cycles.h"

#include "base/bits.h"
#include "vc4/pctr.h"
#include "vc4/qpu.h"
#include "vc4/qpu_run.h"
#include "vc4/timing.h"

_Static_assert(QPU_COUNT == SLICE_QPUS * SLICES, "four QPUs to a slice");

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

/* --- the shared clock --- */

uint64_t qpu_time(const struct qpu *qpu)
{
    return qpu->times.start + qpu_clock(qpu);
}

void qpu_time_start(struct qpu *qpu, struct slices *slices, uint64_t from)
{
    qpu->times.start = slices_start(slices, qpu->number, from);
}

void qpu_time_end(const struct qpu *qpu, struct slices *slices)
{
    slices_end(slices, qpu->number, qpu->times.start, qpu_time(qpu));
}

void qpu_stall_until_time(struct qpu *qpu, uint64_t time, enum qpu_stall cause)
{
    uint64_t now = qpu_time(qpu);
    if (time > now)
        stall(qpu, time - now, cause);
}

/* --- caches --- */

void qpu_fetch_line(struct qpu_run *run, uint32_t address)
{
    struct qpu *qpu = run->qpu;
    struct slices *slices = run->ports->slices;
    qpu->times.line = address / TIMING_LINE + 1;
    if (!slices || cache_touch(&slices_of(slices, qpu->number)->instructions, address))
        return;
    qpu->times.instruction_misses++;
    stall(qpu, slices_fetch(slices, qpu->number, address, run->ports->counts), QPU_STALL_INSTRUCTION);
}

void qpu_uniform_line(struct qpu_run *run, uint32_t address)
{
    struct qpu *qpu = run->qpu;
    struct slices *slices = run->ports->slices;
    uint32_t line = address / TIMING_LINE + 1;
    if (qpu->times.uniform_line == line)
        return;
    qpu->times.uniform_line = line;
    if (!slices || cache_touch(&slices_of(slices, qpu->number)->uniforms, address))
        return;
    qpu->times.uniform_misses++;
    stall(qpu, slices_fetch(slices, qpu->number, address, run->ports->counts), QPU_STALL_UNIFORM);
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
    qpu->times.texels += tmu->last.texels;
    qpu->times.texel_misses += tmu->last.misses;
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

/* --- varyings --- */

void qpu_varying(struct qpu *qpu)
{
    uint32_t number = qpu->times.varyings++;
    qpu_stall_until(qpu, TIMING_FIRST_VARYING + (uint64_t)number * TIMING_VARYING,
                    QPU_STALL_VARYING);
}

/* --- SFU --- */

void qpu_sfu_request(struct qpu_run *run, unsigned ahead)
{
    struct qpu *qpu = run->qpu;
    if (!run->ports->slices)
        return;
    uint64_t now = qpu_time(qpu) + ahead * TIMING_INSTRUCTION;
    stall(qpu, slices_sfu(run->ports->slices, qpu->number, now) - now, QPU_STALL_SFU);
}

/* --- scoreboard --- */

/* When the pixels of a fragment shader's quad are free. */
static uint64_t *quad_unlocked(struct slices *slices, const struct tlb_fragment *fragment,
                               unsigned quad)
{
    enum { SIDE = 32 }; /* quads of a tile */
    uint32_t x = fragment->x[quad] / 2u % SIDE, y = fragment->y[quad] / 2u % SIDE;
    return &slices->unlocked[y * SIDE + x];
}

void qpu_scoreboard_wait(struct qpu_run *run)
{
    const struct qpu_ports *ports = run->ports;
    if (!ports->slices || !ports->fragment)
        return;
    for (unsigned quad = 0; quad < LANES / 4; quad++)
        if (load_le32(&ports->fragment->ms_flags[quad * 4]))
            qpu_stall_until_time(run->qpu, *quad_unlocked(ports->slices, ports->fragment, quad),
                                 QPU_STALL_SCOREBOARD);
}

void qpu_scoreboard_unlock(struct qpu_run *run)
{
    const struct qpu_ports *ports = run->ports;
    if (!ports->slices || !ports->fragment)
        return;
    uint64_t now = qpu_time(run->qpu) + TIMING_INSTRUCTION;
    for (unsigned quad = 0; quad < LANES / 4; quad++)
        *quad_unlocked(ports->slices, ports->fragment, quad) = now;
}

/* --- semaphores and the mutex --- */

/* The n-th acquire needs the n-th release, and the n-th release, with a semaphore's 15 at most, the acquire before
 * the 15 last. Only user programs run on one clock. */
void qpu_change_semaphore(struct qpu_run *run, unsigned number, bool acquire)
{
    struct qpu *qpu = run->qpu;
    struct qpu_times_given *given = &run->ports->shared->given[number];
    if (qpu->kind != QPU_USER)
        return;
    if (acquire) {
        qpu_stall_until_time(qpu, given->released[given->acquires % 16], QPU_STALL_WAIT);
        given->acquired[given->acquires++ % 16] = qpu_time(qpu);
        return;
    }
    if (given->releases >= QPU_SEMAPHORE_MAX)
        qpu_stall_until_time(qpu, given->acquired[(given->releases - QPU_SEMAPHORE_MAX) % 16],
                             QPU_STALL_WAIT);
    given->released[given->releases++ % 16] = qpu_time(qpu);
}

void qpu_take_mutex(struct qpu_run *run)
{
    if (run->qpu->kind == QPU_USER)
        qpu_stall_until_time(run->qpu, run->ports->shared->mutex_time, QPU_STALL_WAIT);
}

void qpu_give_mutex(struct qpu_run *run)
{
    if (run->qpu->kind == QPU_USER)
        run->ports->shared->mutex_time = qpu_time(run->qpu);
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
