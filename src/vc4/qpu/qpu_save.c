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
    state_u8(stream, &wrote->a);
    state_u8(stream, &wrote->b);
    state_require(stream, wrote->a < 32 || wrote->a == QPU_NO_REGISTER);
    state_require(stream, wrote->b < 32 || wrote->b == QPU_NO_REGISTER);
    state_u8(stream, &wrote->accumulators);
    state_u8(stream, &wrote->bytes);
    state_u16(stream, &wrote->a_lanes);
    state_u16(stream, &wrote->b_lanes);
    state_u16(stream, &wrote->accumulator_lanes);
}

static void registers_fields(struct state_stream *stream, struct qpu *qpu)
{
    lanes_fields(stream, qpu->ra, 32);
    lanes_fields(stream, qpu->rb, 32);
    lanes_fields(stream, qpu->r, 6);
    state_u16(stream, &qpu->z);
    state_u16(stream, &qpu->n);
    state_u16(stream, &qpu->c);
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
    state_u32(stream, &qpu->branched_at);
    state_u32(stream, &qpu->branched_to);
    lanes_fields(stream, &qpu->sfu_result, 1);
    state_in(stream, &qpu->sfu_delay, 0, MOST_DELAY);
    state_in(stream, &qpu->uniform_delay, 0, MOST_DELAY);
    state_bool(stream, &qpu->delays);
    state_require(stream, qpu->delays || !(qpu->branch_delay | qpu->end_delay | qpu->branch_recent |
                                           qpu->sfu_delay | qpu->uniform_delay));
}

static void uniforms_fields(struct state_stream *stream, struct qpu *qpu)
{
    state_u32(stream, &qpu->uniform);
    state_bool(stream, &qpu->uniforms_enabled);
    state_u32(stream, &qpu->uniforms_left);
    state_bool(stream, &qpu->uniform_set);
    state_u32(stream, &qpu->uniform_set_at);
    state_u32(stream, &qpu->uniform_first);
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
    state_u64(stream, &times->start);
    state_u64(stream, &times->stalled);
    state_u64s(stream, times->stall, QPU_STALLS);
    state_u64(stream, &times->attributed);
    state_u64s(stream, times->reported_stall, QPU_STALLS);
    state_u64(stream, &times->instruction_misses);
    state_u64(stream, &times->uniforms);
    state_u64(stream, &times->uniform_misses);
    state_u64(stream, &times->tmu_requests);
    state_u64(stream, &times->texels);
    state_u64(stream, &times->texel_misses);
    state_u64(stream, &times->vpm_accesses);
    state_u64(stream, &times->dma_loaded);
    state_u64(stream, &times->dma_stored);
    state_u32(stream, &times->line);
    state_u32(stream, &times->uniform_line);
    state_u32(stream, &times->varyings);
    for (unsigned i = 0; i < TMU_UNITS; i++)
        tmu_times_fields(stream, &times->tmu[i]);
}

static void shadow_fields(struct state_stream *stream, struct qpu_shadow *shadow)
{
    state_u16s(stream, shadow->a, 32);
    state_u16s(stream, shadow->b, 32);
    state_u16s(stream, shadow->r, 6);
    state_u16(stream, &shadow->flags);
    state_bool(stream, &shadow->switched);
    state_bool(stream, &shadow->last_switch);
    state_bool(stream, &shadow->other_switch);
    state_u32(stream, &shadow->switch_at);
    state_in(stream, &shadow->switch_delay, 0, MOST_DELAY);
    state_bool(stream, &shadow->r4_fresh);
    state_u32(stream, &shadow->uniforms);
    state_bool(stream, &shadow->rewound);
    state_bool(stream, &shadow->varies);
    state_u64(stream, &shadow->noswap);
    state_u64(stream, &shadow->depth);
}

/* Lists the fields of a program that runs or waits. */
static void program_fields(struct state_stream *stream, struct qpu *qpu)
{
    registers_fields(stream, qpu);
    state_enum(stream, &qpu->wait, QPU_WAIT_MUTEX + 1);
    state_below(stream, &qpu->wait_semaphore, QPU_SEMAPHORES);
    uniforms_fields(stream, qpu);
    delays_fields(stream, qpu);
    state_bool(stream, &qpu->scoreboard_held);
    state_bool(stream, &qpu->scoreboard_done);
    times_fields(stream, &qpu->times);
    shadow_fields(stream, &qpu->shadow);
}

void qpu_fields(struct state_stream *stream, struct qpu *qpu)
{
    state_enum(stream, &qpu->state, QPU_LIMIT);
    state_enum(stream, &qpu->kind, QPU_COORDINATE + 1);
    state_below(stream, &qpu->number, QPU_COUNT);
    state_u32(stream, &qpu->start);
    state_u64(stream, &qpu->code);
    state_u32(stream, &qpu->pc);
    state_u64(stream, &qpu->instructions);
    if (qpu->state == QPU_RUNNING || qpu->state == QPU_WAITING)
        program_fields(stream, qpu);
}

/* --- state that all QPUs share --- */

static void given_fields(struct state_stream *stream, struct qpu_times_given *given)
{
    state_u64s(stream, given->released, 16);
    state_u64s(stream, given->acquired, 16);
    state_u32(stream, &given->releases);
    state_u32(stream, &given->acquires);
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
    state_bool(stream, &shared->mutex_held);
    state_bool(stream, &shared->mutex_left);
    state_u64(stream, &shared->mutex_time);
    state_below(stream, &shared->mutex_owner, QPU_COUNT);
    state_u32(stream, &shared->mutex_pc);
    state_bool(stream, &shared->mutex_once);
    state_u16(stream, &shared->mutex_taken);
    state_u32(stream, &shared->interrupted);
    state_u32(stream, &shared->interrupt_latched);
    state_u32(stream, &shared->interrupt_enabled);
    state_bool(stream, &shared->interrupt_allowed);
    state_close(stream, &section);
}
