/* SPDX-License-Identifier: MIT */
/* qps_save.c - lists the fields of user programs and of run-aheads for saved states
 * (base/state.h). */
#include "base/state.h"
#include "vc4/run/qps.h"

static void request_fields(struct state_stream *stream, struct qps_request *request)
{
    STATE_FIELDS(stream, &request->pc, &request->uniforms, &request->uniforms_length);
}

static void queue_fields(struct state_stream *stream, struct qps *qps)
{
    state_below(stream, &qps->first, QPS_QUEUE);
    state_in(stream, &qps->count, 0, QPS_QUEUE);
    for (uint32_t i = 0; i < qps->count; i++)
        request_fields(stream, &qps->queue[(qps->first + i) % QPS_QUEUE]);
    STATE_FIELDS(stream, &qps->uniforms, &qps->uniforms_length, &qps->requests, &qps->completed,
                 &qps->error, &qps->stuck);
}

/* Lists a QPU with its units. The ports of a QPU without a program have no state. */
static void program_fields(struct state_stream *stream, struct qps *qps, uint32_t number)
{
    struct qpu *qpu = &qps->user[number];
    qpu_fields(stream, qpu);
    state_require(stream,
                  qpu->state == QPU_IDLE || (qpu->kind == QPU_USER && qpu->number == number));
    tmu_fields(stream, &qps->user_tmu[number]);
    if (qpu->state != QPU_RUNNING && qpu->state != QPU_WAITING)
        return;
    vpm_port_fields(stream, &qps->user_vpm[number]);
    state_require(stream, !qps->user_vpm[number].shader && qps->user_vpm[number].qpu == number);
}

void qps_fields(struct state_stream *stream, struct qps *qps)
{
    struct state_section section = state_open(stream, STATE_TAG('Q', 'P', 'S', ' '));
    queue_fields(stream, qps);
    state_in(stream, &qps->turn, 0, QPU_COUNT);
    state_bool(stream, &qps->moved);
    state_bytes(stream, qps->semaphore, QPU_SEMAPHORES);
    for (uint32_t number = 0; number < QPU_COUNT; number++)
        program_fields(stream, qps, number);
    STATE_FIELDS(stream, &qps->instructions, &qps->shader_runs);
    state_close(stream, &section);
}

void run_ahead_fields(struct state_stream *stream, struct run_ahead *run_ahead,
                      struct run_ahead_work *work)
{
    struct state_section section = state_open(stream, STATE_TAG('A', 'H', 'E', 'A'));
    state_in(stream, &run_ahead->window, RUN_AHEAD_SHORTEST, RUN_AHEAD_LONGEST);
    state_in(stream, &run_ahead->pause, 0, RUN_AHEAD_PAUSE);
    state_bool(stream, &run_ahead->side_by_side);
    for (unsigned i = 0; i < SLICES; i++)
        instruction_profile_fields(stream, &work->slice[i].insn_profile);
    state_close(stream, &section);
}
