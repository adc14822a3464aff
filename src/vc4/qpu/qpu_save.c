/* SPDX-License-Identifier: MIT */
/* qpu_save.c - lists the fields of QPUs and of what they share for saved states (base/state.h).
 *
 * Left out: temporary values of one instruction; constants, which are computed again; registers of
 *           a QPU without a program, which are 0 when the next program starts. */
#include "base/state.h"

#include "vc4/lanes/lanes_fields.h"
#include "vc4/qpu/qpu.h"

enum { MOST_DELAY = 4, END_SLOTS = 2 /* limits of delay counters */ };

static void wrote_fields(struct state_stream *stream, struct qpu_wrote *wrote)
{
    STATE_FIELDS(stream, &wrote->a, &wrote->b);
    state_require(stream, wrote->a < 32 || wrote->a == QPU_NO_REGISTER);
    state_require(stream, wrote->b < 32 || wrote->b == QPU_NO_REGISTER);
    STATE_FIELDS(stream, &wrote->accumulators, &wrote->bytes, &wrote->a_lanes, &wrote->b_lanes,
                 &wrote->accumulator_lanes);
}

static void registers_fields(struct state_stream *stream, struct qpu *qpu)
{
    lanes_fields(stream, qpu->ra, 32);
    lanes_fields(stream, qpu->rb, 32);
    lanes_fields(stream, qpu->r, 6);
    STATE_FIELDS(stream, &qpu->z, &qpu->n, &qpu->c);
    lanes_fields(stream, &qpu->old_a, 1);
    lanes_fields(stream, &qpu->old_b, 1);
    wrote_fields(stream, &qpu->wrote);
    state_u32s(stream, qpu->last_a, 4);
    state_u32s(stream, qpu->last_b, 4);
    state_u32s(stream, qpu->last_mul, 4);
    state_u64(stream, &qpu->written);
}

static void delays_fields(struct state_stream *stream, struct qpu *qpu)
{
    state_u32(stream, &qpu->branch_target);
    state_in(stream, &qpu->branch_delay, 0, MOST_DELAY);
    state_in(stream, &qpu->end_delay, 0, END_SLOTS);
    state_in(stream, &qpu->branch_recent, 0, MOST_DELAY);
    STATE_FIELDS(stream, &qpu->branched_at, &qpu->branched_to);
    lanes_fields(stream, &qpu->sfu_result, 1);
    state_in(stream, &qpu->sfu_delay, 0, MOST_DELAY);
    state_in(stream, &qpu->uniform_delay, 0, MOST_DELAY);
    state_bool(stream, &qpu->delays);
    state_require(stream, qpu->delays || !(qpu->branch_delay | qpu->end_delay | qpu->branch_recent |
                                           qpu->sfu_delay | qpu->uniform_delay));
}

static void uniforms_fields(struct state_stream *stream, struct qpu *qpu)
{
    STATE_FIELDS(stream, &qpu->uniform, &qpu->uniforms_enabled, &qpu->uniforms_left,
                 &qpu->uniform_set, &qpu->uniform_set_at, &qpu->uniform_first);
}

static void tmu_times_fields(struct state_stream *stream, struct qpu_tmu_times *times)
{
    state_u64s(stream, times->ready, TMU_FIFO);
    state_u64(stream, &times->free_at);
    state_below(stream, &times->first, TMU_FIFO);
    state_in(stream, &times->count, 0, TMU_FIFO);
}

static void times_fields(struct state_stream *stream, struct qpu_times *times)
{
    STATE_FIELDS(stream, &times->start, &times->stalled);
    state_u64s(stream, times->stall, QPU_STALLS);
    state_u64(stream, &times->attributed);
    state_u64s(stream, times->reported_stall, QPU_STALLS);
    STATE_FIELDS(stream, &times->instruction_misses, &times->uniforms, &times->uniform_misses,
                 &times->tmu_requests, &times->texels, &times->texel_misses, &times->vpm_accesses,
                 &times->dma_loaded, &times->dma_stored, &times->line, &times->uniform_line,
                 &times->varyings);
    for (unsigned i = 0; i < TMU_UNITS; i++)
        tmu_times_fields(stream, &times->tmu[i]);
}

static void shadow_fields(struct state_stream *stream, struct qpu_shadow *shadow)
{
    state_u16s(stream, shadow->a, 32);
    state_u16s(stream, shadow->b, 32);
    state_u16s(stream, shadow->r, 6);
    STATE_FIELDS(stream, &shadow->flags, &shadow->switched, &shadow->last_switch,
                 &shadow->other_switch, &shadow->switch_at);
    state_in(stream, &shadow->switch_delay, 0, MOST_DELAY);
    STATE_FIELDS(stream, &shadow->r4_fresh, &shadow->uniforms, &shadow->rewound, &shadow->varies,
                 &shadow->noswap, &shadow->depth);
}

/* Lists the fields of a program that runs or waits. */
static void program_fields(struct state_stream *stream, struct qpu *qpu)
{
    registers_fields(stream, qpu);
    state_enum(stream, &qpu->wait, QPU_WAIT_MUTEX + 1);
    state_below(stream, &qpu->wait_semaphore, QPU_SEMAPHORES);
    uniforms_fields(stream, qpu);
    delays_fields(stream, qpu);
    STATE_FIELDS(stream, &qpu->scoreboard_held, &qpu->scoreboard_done);
    times_fields(stream, &qpu->times);
    shadow_fields(stream, &qpu->shadow);
}

void qpu_fields(struct state_stream *stream, struct qpu *qpu)
{
    state_enum(stream, &qpu->state, QPU_LIMIT);
    state_enum(stream, &qpu->kind, QPU_COORDINATE + 1);
    state_below(stream, &qpu->number, QPU_COUNT);
    STATE_FIELDS(stream, &qpu->start, &qpu->code, &qpu->pc, &qpu->instructions);
    if (qpu->state == QPU_RUNNING || qpu->state == QPU_WAITING)
        program_fields(stream, qpu);
}

/* --- state that all QPUs share --- */

static void given_fields(struct state_stream *stream, struct qpu_times_given *given)
{
    state_u64s(stream, given->released, 16);
    state_u64s(stream, given->acquired, 16);
    STATE_FIELDS(stream, &given->releases, &given->acquires);
}

static void semaphore_fields(struct state_stream *stream, struct qpu_shared *shared, unsigned i)
{
    state_in(stream, &shared->semaphore[i], 0, QPU_SEMAPHORE_MAX);
    given_fields(stream, &shared->given[i]);
    state_u32(stream, &shared->released_at[i]);
    state_below(stream, &shared->released_by[i], QPU_COUNT);
}

void qpu_shared_fields(struct state_stream *stream, struct qpu_shared *shared)
{
    struct state_section section = state_open(stream, STATE_TAG('S', 'H', 'A', 'R'));
    for (unsigned i = 0; i < QPU_SEMAPHORES; i++)
        semaphore_fields(stream, shared, i);
    STATE_FIELDS(stream, &shared->mutex_held, &shared->mutex_left, &shared->mutex_time);
    state_below(stream, &shared->mutex_owner, QPU_COUNT);
    STATE_FIELDS(stream, &shared->mutex_pc, &shared->mutex_once, &shared->mutex_taken,
                 &shared->interrupted, &shared->interrupt_latched, &shared->interrupt_enabled,
                 &shared->interrupt_allowed);
    state_close(stream, &section);
}
