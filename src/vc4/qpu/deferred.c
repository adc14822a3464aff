/* SPDX-License-Identifier: MIT */
/* deferred.c - see deferred.h.
 *
 * Left out: contention of the requests that cannot be recorded because the host is out of
 *           memory. */
#include "vc4/qpu/deferred.h"

#include <stdlib.h>

#include "base/bits.h"
#include "base/order.h"
#include "vc4/qpu/qpu_state.h"
#include "vc4/time/timing.h"

void deferred_free(struct deferred_requests *deferred)
{
    free(deferred->request);
    deferred->request = NULL;
    deferred->room = deferred->count = 0;
}

void deferred_begin(struct deferred_requests *deferred, struct qpu *qpu, struct bus *bus,
                    struct instruction_profile *insn_profile)
{
    deferred->count = deferred->next = 0;
    deferred->qpu = qpu;
    deferred->bus = bus;
    deferred->insn_profile = insn_profile;
    deferred->late = 0;
    deferred->left = false;
}

/* Starts to record requests, at the first request that fetches a line from memory. */
static void leave(struct deferred_requests *deferred)
{
    deferred->left = true;
    for (unsigned i = 0; i < TMU_UNITS; i++)
        deferred->tmu[i] = deferred->qpu->times.tmu[i];
    for (unsigned i = 0; i < QPU_STALLS; i++)
        deferred->late_by[i] = 0;
}

static bool make_room(struct deferred_requests *deferred)
{
    uint32_t room = deferred->room ? deferred->room * 2 : 1024;
    struct deferred_request *request = realloc(deferred->request, room * sizeof *request);
    if (!request)
        return false;
    deferred->request = request;
    deferred->room = room;
    return true;
}

struct deferred_request *deferred_add(struct deferred_requests *deferred, enum deferred_kind kind,
                                      bool leaves)
{
    if (!deferred->left && !leaves)
        return NULL;
    if (!deferred->left)
        leave(deferred);
    if (deferred->count == deferred->room && !make_room(deferred))
        return NULL;
    struct deferred_request *request = &deferred->request[deferred->count++];
    request->kind = (uint8_t)kind;
    return request;
}

/* --- settling --- */

/* Attributes a stall to an instruction in the profile. */
static void attribute_stall(const struct deferred_requests *deferred, uint32_t pc, unsigned cause,
                            uint64_t clocks)
{
    const struct qpu *qpu = deferred->qpu;
    const uint8_t *word = bus_peek(deferred->bus, pc, 8);
    struct profile_program program = {(enum tess_vc4_shader_kind)qpu->kind, qpu->start, qpu->code};
    if (word)
        instruction_profile_stall(deferred->insn_profile, program, pc, load_le64(word),
                                  (enum tess_vc4_stall)cause, clocks);
}

/* Delays the program if `time` is after `now`, and attributes the delay to the request's
 * instruction. */
static void wait_until(struct deferred_requests *deferred, const struct deferred_request *request,
                       uint64_t time, uint64_t now)
{
    if (time <= now)
        return;
    deferred->late += time - now;
    deferred->late_by[request->cause] += time - now;
    if (deferred->insn_profile)
        attribute_stall(deferred, request->pc, request->cause, time - now);
}

/* Adds the results of a TMU request. tmu->ready counts clocks from the program's start. */
static void add_results(struct deferred_requests *deferred, const struct deferred_request *request)
{
    struct qpu_tmu_times *tmu = &deferred->tmu[request->unit];
    uint64_t ready = request->ready + deferred->late - deferred->qpu->times.start;
    for (uint32_t i = 0; i < request->words && tmu->count < TMU_FIFO; i++)
        tmu->ready[(tmu->first + tmu->count++) % TMU_FIFO] = ready;
}

static void delay_results(struct deferred_requests *deferred,
                          const struct deferred_request *request, uint64_t ready)
{
    struct qpu_tmu_times *tmu = &deferred->tmu[request->unit];
    ready -= deferred->qpu->times.start;
    for (uint32_t i = 1; i <= request->words && i <= tmu->count; i++) {
        uint64_t *result = &tmu->ready[(tmu->first + tmu->count - i) % TMU_FIFO];
        *result = most_u64(*result, ready);
    }
}

static void take_result(struct deferred_requests *deferred, const struct deferred_request *request)
{
    struct qpu_tmu_times *tmu = &deferred->tmu[request->unit];
    if (tmu->count == 0)
        return;
    wait_until(deferred, request, tmu->ready[tmu->first] + deferred->qpu->times.start,
               request->time + deferred->late);
    tmu->first = (tmu->first + 1) % TMU_FIFO;
    tmu->count--;
}

static void forget_waiting(struct deferred_requests *deferred)
{
    for (unsigned unit = 0; unit < TMU_UNITS; unit++)
        for (unsigned i = 0; i < TMU_FIFO; i++)
            deferred->tmu[unit].ready[i] = 0;
}

static void carry_out(struct deferred_requests *deferred, struct contention *contention)
{
    const struct deferred_request *request = &deferred->request[deferred->next++];
    uint64_t now = request->time + deferred->late;
    switch (request->kind) {
    case DEFERRED_FETCH:
        wait_until(deferred, request, contention_read(contention, request->address, now),
                   request->ready + deferred->late);
        break;
    case DEFERRED_REQUEST: add_results(deferred, request); break;
    case DEFERRED_LINE:
        delay_results(deferred, request,
                      contention_read(contention, request->address, now) + TIMING_TMU);
        break;
    case DEFERRED_TAKE: take_result(deferred, request); break;
    default: forget_waiting(deferred); break;
    }
}

static bool reads_memory(const struct deferred_request *request)
{
    return request->kind == DEFERRED_FETCH || request->kind == DEFERRED_LINE;
}

/* Processes requests up to the program's next access to memory. Returns the time of this access, or
 * UINT64_MAX if no access is left. */
static uint64_t go_on(struct deferred_requests *deferred, struct contention *contention)
{
    while (deferred->next < deferred->count && !reads_memory(&deferred->request[deferred->next]))
        carry_out(deferred, contention);
    return deferred->next < deferred->count
               ? deferred->request[deferred->next].time + deferred->late
               : UINT64_MAX;
}

/* Returns the index of the earliest time, or the lowest such index if several times are equal. */
static unsigned find_first(const uint64_t *time, unsigned count)
{
    unsigned first = 0;
    for (unsigned i = 1; i < count; i++)
        if (time[i] < time[first])
            first = i;
    return first;
}

static void put_back(struct deferred_requests *deferred)
{
    struct qpu_times *times = &deferred->qpu->times;
    if (!deferred->left)
        return;
    for (unsigned i = 0; i < TMU_UNITS; i++) {
        deferred->tmu[i].free_at = times->tmu[i].free_at;
        times->tmu[i] = deferred->tmu[i];
    }
    times->stalled += deferred->late;
    times->attributed += deferred->late;
    for (unsigned i = 0; i < QPU_STALLS; i++) {
        times->stall[i] += deferred->late_by[i];
        times->reported_stall[i] += deferred->late_by[i];
    }
}

void deferred_settle(struct deferred_requests *const all[], unsigned count,
                     struct contention *contention)
{
    uint64_t next[QPU_COUNT];
    for (unsigned i = 0; i < count; i++)
        next[i] = go_on(all[i], contention);
    for (unsigned i; count && next[i = find_first(next, count)] != UINT64_MAX;) {
        carry_out(all[i], contention);
        next[i] = go_on(all[i], contention);
    }
    for (unsigned i = 0; i < count; i++)
        put_back(all[i]);
}
