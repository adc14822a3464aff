/* SPDX-License-Identifier: MIT */
/* deferred.c - see deferred.h.
 *
 * Left out: if the host is out of memory, requests are not deferred, and have no contention. */
#include "vc4/deferred.h"

#include <stdlib.h>

#include "base/bits.h"
#include "base/order.h"
#include "vc4/qpu.h"
#include "vc4/timing.h"

void trips_free(struct trips *trips)
{
    free(trips->trip);
    trips->trip = NULL;
    trips->room = trips->count = 0;
}

void trips_begin(struct trips *trips, struct qpu *qpu, struct bus *bus, struct hot *hot)
{
    trips->count = trips->next = 0;
    trips->qpu = qpu;
    trips->bus = bus;
    trips->hot = hot;
    trips->late = 0;
    trips->left = false;
}

/* Starts deferring requests. */
static void leave(struct trips *trips)
{
    trips->left = true;
    for (unsigned i = 0; i < TMU_UNITS; i++)
        trips->tmu[i] = trips->qpu->times.tmu[i];
    for (unsigned i = 0; i < QPU_STALLS; i++)
        trips->late_by[i] = 0;
}

static bool make_room(struct trips *trips)
{
    uint32_t room = trips->room ? trips->room * 2 : 1024;
    struct trip *trip = realloc(trips->trip, room * sizeof *trip);
    if (!trip)
        return false;
    trips->trip = trip;
    trips->room = room;
    return true;
}

struct trip *trips_add(struct trips *trips, enum trip_kind kind, bool leaves)
{
    if (!trips->left && !leaves)
        return NULL;
    if (!trips->left)
        leave(trips);
    if (trips->count == trips->room && !make_room(trips))
        return NULL;
    struct trip *trip = &trips->trip[trips->count++];
    trip->kind = (uint8_t)kind;
    return trip;
}

/* --- settling --- */

/* Attributes a stall to an instruction in the profile. */
static void blame(const struct trips *trips, uint32_t pc, unsigned cause, uint64_t clocks)
{
    const struct qpu *qpu = trips->qpu;
    const uint8_t *word = bus_peek(trips->bus, pc, 8);
    struct hot_program program = {(enum tess_vc4_shader_kind)qpu->kind, qpu->start, qpu->code};
    if (word)
        hot_stall(trips->hot, program, pc, load_le64(word), (enum tess_vc4_stall)cause, clocks);
}

/* Delays the program if `time` is after `now`, and attributes the delay to the request's
 * instruction. */
static void wait_until(struct trips *trips, const struct trip *trip, uint64_t time, uint64_t now)
{
    if (time <= now)
        return;
    trips->late += time - now;
    trips->late_by[trip->cause] += time - now;
    if (trips->hot)
        blame(trips, trip->pc, trip->cause, time - now);
}

/* Adds a request's results. The results of TMUs have times on the program's clock. */
static void add_results(struct trips *trips, const struct trip *trip)
{
    struct qpu_tmu_times *tmu = &trips->tmu[trip->unit];
    uint64_t ready = trip->ready + trips->late - trips->qpu->times.start;
    for (uint32_t i = 0; i < trip->words && tmu->count < TMU_FIFO; i++)
        tmu->ready[(tmu->first + tmu->count++) % TMU_FIFO] = ready;
}

static void delay_results(struct trips *trips, const struct trip *trip, uint64_t ready)
{
    struct qpu_tmu_times *tmu = &trips->tmu[trip->unit];
    ready -= trips->qpu->times.start;
    for (uint32_t i = 1; i <= trip->words && i <= tmu->count; i++) {
        uint64_t *result = &tmu->ready[(tmu->first + tmu->count - i) % TMU_FIFO];
        *result = most_u64(*result, ready);
    }
}

static void take_result(struct trips *trips, const struct trip *trip)
{
    struct qpu_tmu_times *tmu = &trips->tmu[trip->unit];
    if (tmu->count == 0)
        return;
    wait_until(trips, trip, tmu->ready[tmu->first] + trips->qpu->times.start,
               trip->time + trips->late);
    tmu->first = (tmu->first + 1) % TMU_FIFO;
    tmu->count--;
}

static void forget_waiting(struct trips *trips)
{
    for (unsigned unit = 0; unit < TMU_UNITS; unit++)
        for (unsigned i = 0; i < TMU_FIFO; i++)
            trips->tmu[unit].ready[i] = 0;
}

static void carry_out(struct trips *trips, struct traffic *traffic)
{
    const struct trip *trip = &trips->trip[trips->next++];
    uint64_t now = trip->time + trips->late;
    switch (trip->kind) {
    case TRIP_FETCH:
        wait_until(trips, trip, traffic_read(traffic, trip->address, now),
                   trip->ready + trips->late);
        break;
    case TRIP_REQUEST: add_results(trips, trip); break;
    case TRIP_LINE:
        delay_results(trips, trip, traffic_read(traffic, trip->address, now) + TIMING_TMU);
        break;
    case TRIP_TAKE: take_result(trips, trip); break;
    default: forget_waiting(trips); break;
    }
}

static bool is_way_to_memory(const struct trip *trip)
{
    return trip->kind == TRIP_FETCH || trip->kind == TRIP_LINE;
}

/* Settles the requests that only affect the program itself. Returns the time of its next access to
 * memory, or UINT64_MAX if no access is left. */
static uint64_t go_on(struct trips *trips, struct traffic *traffic)
{
    while (trips->next < trips->count && !is_way_to_memory(&trips->trip[trips->next]))
        carry_out(trips, traffic);
    return trips->next < trips->count ? trips->trip[trips->next].time + trips->late : UINT64_MAX;
}

/* Returns the index of the earliest time, the first one if there are several. */
static unsigned find_first(const uint64_t *time, unsigned count)
{
    unsigned first = 0;
    for (unsigned i = 1; i < count; i++)
        if (time[i] < time[first])
            first = i;
    return first;
}

static void put_back(struct trips *trips)
{
    struct qpu_times *times = &trips->qpu->times;
    if (!trips->left)
        return;
    for (unsigned i = 0; i < TMU_UNITS; i++) {
        trips->tmu[i].free_at = times->tmu[i].free_at;
        times->tmu[i] = trips->tmu[i];
    }
    times->stalled += trips->late;
    times->told += trips->late;
    for (unsigned i = 0; i < QPU_STALLS; i++) {
        times->stall[i] += trips->late_by[i];
        times->told_stall[i] += trips->late_by[i];
    }
}

void trips_settle(struct trips *const all[], unsigned count, struct traffic *traffic)
{
    uint64_t next[QPU_COUNT];
    for (unsigned i = 0; i < count; i++)
        next[i] = go_on(all[i], traffic);
    for (unsigned i; count && next[i = find_first(next, count)] != UINT64_MAX;) {
        carry_out(all[i], traffic);
        next[i] = go_on(all[i], traffic);
    }
    for (unsigned i = 0; i < count; i++)
        put_back(all[i]);
}
