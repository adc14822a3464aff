/* SPDX-License-Identifier: MIT */
/* qpu_cycles.c - see qpu_cycles.h.
 *
 * Source: timing.h. docs/vc4/timing.md separates measured from estimated durations.
 * Left out: stalls by arbitration between QPUs; limits of cache ports. */
#include "vc4/qpu/qpu_cycles.h"

#include "base/bits.h"
#include "base/order.h"
#include "vc4/qpu/deferred.h"
#include "vc4/qpu/qpu_run.h"
#include "vc4/tile/tlb.h"
#include "vc4/time/contention.h"
#include "vc4/time/pctr.h"
#include "vc4/time/timing.h"

_Static_assert(QPU_COUNT == SLICE_QPUS * SLICES, "four QPUs to a slice");

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

void qpu_time_start(struct qpu *qpu, struct shared_units *slices, uint64_t from)
{
    qpu->times.start = shared_units_start(slices, qpu->number, from);
}

void qpu_time_end(const struct qpu *qpu, struct shared_units *slices)
{
    shared_units_end(slices, qpu->number, qpu->times.start, qpu_time(qpu));
}

void qpu_stall_until_time(struct qpu *qpu, uint64_t time, enum qpu_stall cause)
{
    uint64_t now = qpu_time(qpu);
    if (time > now)
        stall(qpu, time - now, cause);
}

/* --- memory --- */

/* Returns the time at which a line arrives from memory, if the program requests the line at time
 * `time` and waits for it. Adds the request to the list of deferred requests if the ports have such
 * a list. */
static uint64_t fetch_from_memory(struct qpu_run *run, uint32_t address, uint64_t time, uint32_t pc,
                                  enum qpu_stall cause)
{
    const struct qpu_ports *ports = run->ports;
    if (!ports->contention)
        return time + TIMING_FROM_MEMORY;
    if (!ports->deferred)
        return contention_read(ports->contention, address, time);
    uint64_t ready = contention_soonest(address, time);
    struct deferred_request *request = deferred_add(ports->deferred, DEFERRED_FETCH, true);
    if (!request)
        return ready;
    request->time = time;
    request->ready = ready;
    request->address = address;
    request->pc = pc;
    request->cause = (uint8_t)cause;
    return ready;
}

/* --- caches --- */

/* Returns the time at which a line in a cache can be used. Another program may have requested the
 * line, and the line may not have arrived yet. If memory contention is not modelled, as for the
 * programs of a tile, all lines count as arrived. */
static uint64_t wait_for_line(const struct qpu_run *run, const struct shared_units_lines *coming,
                              uint32_t address, uint64_t now)
{
    if (!run->ports->contention)
        return now;
    return shared_units_arrival(coming, address, now, now + TIMING_FROM_MEMORY);
}

/* Fetches a line for a cache of the slice. The instruction that needs the line is `ahead`
 * instructions after the last counted instruction. Returns the line's time of arrival. */
static uint64_t fetch_line(struct qpu_run *run, uint32_t address, unsigned ahead, uint64_t now,
                           enum qpu_stall cause)
{
    const struct qpu_ports *ports = run->ports;
    struct shared_units *slices = ports->slices;
    uint32_t number = run->qpu->number, plain = address & BUS_ADDRESS_MASK;
    if (shared_units_fetch(slices, number, plain, ports->counts)) {
        if (!slices->apart)
            now = wait_for_line(run, &slices->coming, plain, now);
        return now + TIMING_FROM_L2;
    }
    uint64_t there = fetch_from_memory(run, address, now, run->qpu->pc + ahead * 8, cause);
    if (!slices->apart)
        shared_units_expect(&slices->coming, plain, there);
    return there;
}

/* Accesses a line through a cache of the slice, and stalls until the line arrives. The accessing
 * instruction is `ahead` instructions after the last counted instruction. Returns true if the
 * access missed. */
static bool access_line(struct qpu_run *run, struct cache *cache, uint32_t address, unsigned ahead,
                        enum qpu_stall cause)
{
    struct shared_units_lines *coming =
        &shared_units_of(run->ports->slices, run->qpu->number)->coming;
    uint32_t plain = address & BUS_ADDRESS_MASK;
    uint64_t now = qpu_time(run->qpu) + ahead * TIMING_INSTRUCTION, there;
    bool hit = cache_touch(cache, plain);
    if (hit) {
        there = wait_for_line(run, coming, plain, now);
    } else {
        there = fetch_line(run, address, ahead, now, cause);
        shared_units_expect(coming, plain, there);
    }
    stall(run->qpu, there - now, cause);
    return !hit;
}

void qpu_fetch_line(struct qpu_run *run, uint32_t address)
{
    struct qpu *qpu = run->qpu;
    struct shared_units *slices = run->ports->slices;
    uint32_t pc = qpu->pc & BUS_ADDRESS_MASK;
    unsigned ahead = address > pc ? (address - pc) / 8 : 0;
    qpu->times.line = address / TIMING_LINE + 1;
    bus_observe(run->ports->bus, BUS_QPU_CODE, address, TIMING_LINE, false);
    if (!slices)
        return;
    struct cache *cache = &shared_units_of(slices, qpu->number)->instructions;
    address |= qpu->pc & ~BUS_ADDRESS_MASK;
    qpu->times.instruction_misses += access_line(run, cache, address, ahead, QPU_STALL_INSTRUCTION);
}

void qpu_uniform_line(struct qpu_run *run, uint32_t address, unsigned ahead)
{
    struct qpu *qpu = run->qpu;
    struct shared_units *slices = run->ports->slices;
    uint32_t line = address / TIMING_LINE + 1;
    if (qpu->times.uniform_line == line)
        return;
    qpu->times.uniform_line = line;
    if (!slices)
        return;
    struct cache *cache = &shared_units_of(slices, qpu->number)->uniforms;
    address |= qpu->uniform & ~BUS_ADDRESS_MASK;
    qpu->times.uniform_misses += access_line(run, cache, address, ahead, QPU_STALL_UNIFORM);
}

/* --- TMU --- */

static void keep_request(struct qpu_run *run, unsigned unit, uint32_t words, uint64_t start,
                         uint64_t ready)
{
    const struct tmu *tmu = run->ports->tmu;
    struct deferred_request *request = deferred_add(run->ports->deferred, DEFERRED_REQUEST,
                                                    tmu->last.l2_misses > 0);
    if (!request)
        return;
    request->time = start;
    request->ready = ready;
    request->unit = (uint8_t)unit;
    request->words = (uint8_t)words;
    for (uint32_t i = 0; i < tmu->last.l2_misses && i < TMU_LINES; i++) {
        request = deferred_add(run->ports->deferred, DEFERRED_LINE, true);
        if (!request)
            return;
        request->address = tmu->line[i];
        request->time = start + i * TIMING_L2_LINE;
        request->unit = (uint8_t)unit;
        request->words = (uint8_t)words;
    }
}

/* Returns the time at which all lines that a request needs from memory have arrived. */
static uint64_t request_lines(struct qpu_run *run, uint64_t start)
{
    const struct tmu *tmu = run->ports->tmu;
    struct contention *contention = run->ports->contention;
    uint64_t there = start;
    for (uint32_t i = 0; i < tmu->last.l2_misses && i < TMU_LINES; i++) {
        uint64_t asked = start + i * TIMING_L2_LINE;
        uint64_t line = !contention            ? asked + TIMING_FROM_MEMORY
                        : run->ports->deferred ? contention_soonest(tmu->line[i], asked)
                                               : contention_read(contention, tmu->line[i], asked);
        there = most_u64(there, line);
    }
    return there;
}

/* Returns the time at which a TMU starts a request. */
static uint64_t start_request(struct qpu_run *run, unsigned unit)
{
    struct qpu_tmu_times *times = &run->qpu->times.tmu[unit];
    uint64_t now = qpu_time(run->qpu), start = most_u64(times->free_at, now);
    if (run->ports->contention)
        start = contention_tmu(run->ports->contention, run->qpu->number, run->ports->tmu->last.unit,
                               now);
    times->free_at = start + TIMING_TMU_REQUEST;
    return start;
}

void qpu_tmu_request(struct qpu_run *run, unsigned unit, uint32_t words)
{
    struct qpu *qpu = run->qpu;
    struct qpu_tmu_times *times = &qpu->times.tmu[unit];
    const struct tmu_cost *cost = &run->ports->tmu->last;
    uint64_t start = start_request(run, unit), ready = start + TIMING_TMU;
    qpu->times.tmu_requests++;
    qpu->times.texels += cost->texels;
    qpu->times.texel_misses += cost->misses;
    if (cost->misses)
        ready += TIMING_FROM_L2 + (cost->misses - 1) * TIMING_L2_LINE;
    if (run->ports->deferred)
        keep_request(run, unit, words, start, ready);
    ready = most_u64(ready, request_lines(run, start) + TIMING_TMU);
    for (uint32_t i = 0; i < words && times->count < TMU_FIFO; i++)
        times->ready[(times->first + times->count++) % TMU_FIFO] = ready - qpu->times.start;
}

void qpu_tmu_result(struct qpu_run *run, unsigned unit)
{
    struct qpu *qpu = run->qpu;
    struct qpu_tmu_times *times = &qpu->times.tmu[unit];
    if (times->count == 0)
        return;
    qpu_stall_until(qpu, times->ready[times->first], QPU_STALL_TMU);
    times->first = (times->first + 1) % TMU_FIFO;
    times->count--;
    struct deferred_request *request =
        run->ports->deferred ? deferred_add(run->ports->deferred, DEFERRED_TAKE, false) : NULL;
    if (!request)
        return;
    request->time = qpu_time(qpu);
    request->pc = qpu->pc;
    request->unit = (uint8_t)unit;
    request->cause = QPU_STALL_TMU;
}

/* Switches threads. All pending TMU results count as arrived, because the QPU's other hardware
 * thread runs until they have arrived. */
void qpu_thread_switch(struct qpu_run *run)
{
    struct qpu *qpu = run->qpu;
    for (unsigned unit = 0; unit < TMU_UNITS; unit++)
        for (unsigned i = 0; i < TMU_FIFO; i++)
            qpu->times.tmu[unit].ready[i] = 0;
    struct deferred_request *request =
        run->ports->deferred ? deferred_add(run->ports->deferred, DEFERRED_SWITCH, false) : NULL;
    if (request)
        request->time = 0; /* all results count as arrived */
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
    stall(qpu, shared_units_sfu(run->ports->slices, qpu->number, now) - now, QPU_STALL_SFU);
}

/* --- scoreboard --- */

/* Returns a pointer to the time at which the scoreboard unlocks the pixels of a quad. */
static uint64_t *quad_unlocked(struct shared_units *slices, const struct tlb_fragment *fragment,
                               unsigned quad)
{
    enum { SIDE = 32 }; /* quads along a tile's side */
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

/* Acquires or releases a semaphore. The program stalls until another program has made the change
 * possible. The n-th acquire needs the n-th release. The n-th release needs acquire n - 15, because
 * the value is at most 15. Programs that are not user programs do not stall, because only user
 * programs share one clock. */
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
