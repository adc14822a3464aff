/* SPDX-License-Identifier: MIT */
/* qps.c - see qps.h.
 *
 * Source: manual sections 2 and 3 (QPU scheduler), tables 62 to 68.
 * Modelled: the user program queue with its counts and error; reservation bits; one fragment batch at a
 * time, run to its end, so that the scoreboard never has to wait.
 * Differs: the order in which the hardware picks QPUs is not specified; ours goes round. SRQUL is kept but
 * does not limit the stream: GPU_FFT never writes it (its gpu_fft_base.c), against manual table 67. */
#include "vc4/qps.h"

#include "vc4/device.h"

enum {
    QPS_SLICE = 64, /* instructions of one program before the next has its turn */
    RESERVED_USER = 1 << 0,
    RESERVED_FRAGMENT = 1 << 1,
};

static const uint64_t default_instructions = UINT64_C(16) << 20;
static const uint64_t default_total_instructions = UINT64_C(4) << 30;

void qps_reset(struct qps *qps)
{
    *qps = (struct qps){0};
}

static bool reserved(const struct tess_vc4 *vc4, uint32_t number, uint32_t bit)
{
    return vc4->v3d.reserve[number / 8] >> (number % 8 * 4) & bit;
}

static uint64_t instruction_limit(const struct tess_vc4 *vc4)
{
    return vc4->options.max_instructions ? vc4->options.max_instructions : default_instructions;
}

uint64_t qps_total_limit(const struct tess_vc4 *vc4)
{
    return vc4->options.max_total_instructions ? vc4->options.max_total_instructions
                                               : default_total_instructions;
}

static uint64_t smaller(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

static void spend_instructions(struct tess_vc4 *vc4, uint64_t executed)
{
    vc4->stats.instructions += executed;
    vc4->instructions_left -= executed;
}

/* Makes the log speak of the instruction that a program stands at. */
static void enter_shader(struct tess_vc4 *vc4, const struct qpu *qpu)
{
    const uint8_t *bytes = bus_peek(&vc4->bus, qpu->pc, 8);
    uint64_t word = bytes ? load_le64(bytes) : 0;
    fault_enter_shader(&vc4->log, qpu->start, qpu->pc, bytes ? &word : NULL, qpu->number);
}

/* The budget that has run out is the program's own, or the one that all programs share. */
static void report_limit(struct tess_vc4 *vc4, const struct qpu *qpu)
{
    enter_shader(vc4, qpu);
    if (qpu->instructions >= instruction_limit(vc4))
        fault(&vc4->log, FAULT_BUDGET, "the program has executed %llu instructions without ending",
              (unsigned long long)qpu->instructions);
    else
        fault(&vc4->log, FAULT_BUDGET, "the programs have executed %llu instructions in this run",
              (unsigned long long)qps_total_limit(vc4));
    fault_leave_shader(&vc4->log);
    vc4->out_of_budget = true;
}

static void report_wait(struct tess_vc4 *vc4, const struct qpu *qpu)
{
    char text[96];
    enter_shader(vc4, qpu);
    fault(&vc4->log, FAULT_QPU_STUCK, "QPU %u waits for %s", qpu->number,
          qpu_wait_text(qpu, &vc4->shared, text, sizeof text));
    fault_leave_shader(&vc4->log);
}

/* --- fragment batches --- */

static uint32_t next_fragment_number(struct tess_vc4 *vc4)
{
    for (uint32_t i = 0; i < QPU_COUNT; i++) {
        uint32_t number = vc4->next_fragment_qpu;
        vc4->next_fragment_qpu = (number + 1) % QPU_COUNT;
        if (!reserved(vc4, number, RESERVED_FRAGMENT))
            return number;
    }
    return QPU_COUNT;
}

static void fill_fragment(struct tlb_fragment *fragment, const struct fep_batch *batch,
                          const struct cl_state *state)
{
    tlb_fragment_start(fragment);
    for (unsigned q = 0; q < 4; q++) {
        fragment->x[q] = q < batch->quads ? batch->x[q] : 0;
        fragment->y[q] = q < batch->quads ? batch->y[q] : 0;
    }
    for (unsigned i = 0; i < LANES; i++)
        fragment->ms_flags[i] = batch->covered >> i & 1 ? 0xf : 0;
    fragment->rev_flag = batch->reverse;
    fragment->depth_function = (enum tlb_compare)bits_get(state->configuration, 14, 12);
    fragment->depth_update = bits_get(state->configuration, 15, 15);
}

static bool early_z_enabled(const struct cl_state *state)
{
    return bits_get(state->configuration, CL_CONFIGURATION_BITS_EARLY_Z_BIT,
                    CL_CONFIGURATION_BITS_EARLY_Z_BIT);
}

/* Takes the quads that cannot pass the depth test out of the batch. False if none is left. */
static bool early_z(const struct tess_vc4 *vc4, struct tlb_fragment *fragment,
                    const struct fep_batch *batch)
{
    lane_mask left = tlb_early_z(&vc4->tlb, fragment, &batch->z);
    for (unsigned i = 0; i < LANES; i++)
        if (!(left >> i & 1))
            fragment->ms_flags[i] = 0;
    return left != 0;
}

static void fill_vri(struct vri *vri, const struct fep *fep, const struct fep_batch *batch)
{
    *vri = (struct vri){0};
    for (unsigned q = 0; q < batch->quads; q++) {
        vri->quad[q] = &fep->slot[batch->primitive[q]].varyings;
        vri->x[q] = batch->x[q];
        vri->y[q] = batch->y[q];
        vri->count = vri->quad[q]->count;
        vri->implicit = vri->quad[q]->implicit;
    }
}

void qps_shade(void *user, const struct fep_batch *batch)
{
    struct tess_vc4 *vc4 = user;
    const struct cle_thread *thread = &vc4->cle[CLE_RENDERING];
    if (vc4->qps.hung)
        return;
    if (bits_get(thread->state.configuration, 8, 8)) {
        fault(&vc4->log, FAULT_NOT_MODELLED, "the coverage pipe (VG mode) is not modelled");
        return;
    }
    struct tlb_fragment fragment;
    struct vri vri;
    fill_fragment(&fragment, batch, &thread->state);
    if (early_z_enabled(&thread->state) && !early_z(vc4, &fragment, batch))
        return;
    uint32_t number = next_fragment_number(vc4);
    if (number == QPU_COUNT) {
        fault(&vc4->log, FAULT_QPU_STUCK,
              "V3D_SQRSV0 and V3D_SQRSV1 keep every QPU from fragment shaders");
        vc4->qps.hung = true;
        return;
    }

    fill_vri(&vri, &vc4->fep, batch);
    struct qpu *qpu = &vc4->fragment_qpu;
    qpu_start(qpu, QPU_FRAGMENT, number, thread->shader.fragment_code,
              thread->shader.fragment_uniforms);
    tmu_start(&vc4->fragment_tmu, number);
    qpu->ra[15] = batch->w;
    qpu->rb[15] = batch->z;

    const struct qpu_ports ports = {
        .bus = &vc4->bus,
        .log = &vc4->log,
        .shared = &vc4->shared,
        .cache = &vc4->instructions,
        .tmu = &vc4->fragment_tmu,
        .tlb = &vc4->tlb,
        .fragment = &fragment,
        .vri = &vri,
    };
    enum qpu_state state = qpu_run(qpu, &ports,
                                   smaller(instruction_limit(vc4), vc4->instructions_left));
    spend_instructions(vc4, qpu->instructions);
    vc4->stats.shader_runs++;
    if (state == QPU_ENDED)
        return;
    if (state == QPU_LIMIT)
        report_limit(vc4, qpu);
    if (state == QPU_WAITING)
        report_wait(vc4, qpu);
    vc4->qps.hung = true;
}

void qps_abandon_fragments(struct tess_vc4 *vc4)
{
    vc4->qps.hung = false;
    tmu_reset(&vc4->fragment_tmu);
    vc4->fep.batch.quads = 0;
    vc4->fep.slots = 0;
}

/* --- user programs --- */

void qps_request_program(struct tess_vc4 *vc4, uint32_t pc)
{
    struct qps *qps = &vc4->qps;
    qps->requests++;
    if (qps->error || qps->count == QPS_QUEUE) {
        qps->error = true;
        fault_at(&vc4->log, FAULT_REGISTER_ACCESS, V3D_SRQPC,
                 "the user program queue holds %u requests; this one is dropped", QPS_QUEUE);
        return;
    }
    qps->queue[(qps->first + qps->count++) % QPS_QUEUE] = (struct qps_request){
        .pc = pc, .uniforms = qps->uniforms, .uniforms_length = qps->uniforms_length};
}

enum {
    SRQCS_LENGTH_CLEAR = 1 << 0,
    SRQCS_ERROR = 1 << 7,
    SRQCS_REQUESTS_CLEAR = 1 << 8,
    SRQCS_COMPLETED_CLEAR = 1 << 16,
};

uint32_t qps_read_status(const struct tess_vc4 *vc4)
{
    const struct qps *qps = &vc4->qps;
    return qps->count | (qps->error ? SRQCS_ERROR : 0u) | (uint32_t)qps->requests << 8 |
           (uint32_t)qps->completed << 16;
}

void qps_write_status(struct tess_vc4 *vc4, uint32_t value)
{
    struct qps *qps = &vc4->qps;
    if (value & SRQCS_LENGTH_CLEAR)
        qps->count = 0;
    if (value & SRQCS_ERROR)
        qps->error = false;
    if (value & SRQCS_REQUESTS_CLEAR)
        qps->requests = 0;
    if (value & SRQCS_COMPLETED_CLEAR)
        qps->completed = 0;
}

static bool resident(const struct qpu *qpu)
{
    return qpu->state == QPU_RUNNING || qpu->state == QPU_WAITING;
}

bool qps_busy(const struct tess_vc4 *vc4)
{
    if (vc4->qps.count)
        return true;
    for (unsigned i = 0; i < QPU_COUNT; i++)
        if (resident(&vc4->qps.user[i]))
            return true;
    return false;
}

static bool start_queued(struct tess_vc4 *vc4)
{
    struct qps *qps = &vc4->qps;
    bool any = false;
    for (uint32_t number = 0; number < QPU_COUNT && qps->count; number++) {
        if (resident(&qps->user[number]) || reserved(vc4, number, RESERVED_USER))
            continue;
        struct qps_request request = qps->queue[qps->first];
        qps->first = (qps->first + 1) % QPS_QUEUE;
        qps->count--;
        qpu_start(&qps->user[number], QPU_USER, number, request.pc, request.uniforms);
        vpm_port_reset(&qps->user_vpm[number]);
        tmu_reset(&qps->user_tmu[number]);
        tmu_start(&qps->user_tmu[number], number);
        vc4->stats.shader_runs++;
        any = true;
    }
    return any;
}

/* Gives one program its turn. True when it executed something. */
static bool run_slice(struct tess_vc4 *vc4, uint32_t number)
{
    struct qps *qps = &vc4->qps;
    struct qpu *qpu = &qps->user[number];
    const struct qpu_ports ports = {
        .bus = &vc4->bus,
        .log = &vc4->log,
        .shared = &vc4->shared,
        .cache = &vc4->instructions,
        .tmu = &qps->user_tmu[number],
        .vpm = &vc4->vpm,
        .vpm_port = &qps->user_vpm[number],
    };
    uint64_t before = qpu->instructions;
    enum qpu_state state = qpu_run(qpu, &ports, smaller(QPS_SLICE, vc4->instructions_left));
    uint64_t executed = qpu->instructions - before;
    spend_instructions(vc4, executed);
    if (state == QPU_LIMIT) {
        qpu->state = QPU_RUNNING;
        if (qpu->instructions >= instruction_limit(vc4) || vc4->instructions_left == 0)
            report_limit(vc4, qpu);
    }
    if (state == QPU_ENDED)
        qps->completed++;
    if (state == QPU_BROKEN)
        vc4->stuck = true;
    return executed > 0 || state == QPU_ENDED;
}

bool qps_step(struct tess_vc4 *vc4)
{
    vc4->log.place.known = 0;
    bool moved = start_queued(vc4);
    for (uint32_t number = 0; number < QPU_COUNT && !vc4->out_of_budget; number++)
        if (resident(&vc4->qps.user[number]))
            moved |= run_slice(vc4, number);
    return moved;
}

void qps_report_stuck(struct tess_vc4 *vc4)
{
    vc4->log.place.known = 0;
    for (unsigned i = 0; i < QPU_COUNT; i++)
        if (vc4->qps.user[i].state == QPU_WAITING)
            report_wait(vc4, &vc4->qps.user[i]);
    if (vc4->qps.count)
        fault(&vc4->log, FAULT_QPU_STUCK, "%u user programs wait for a free QPU", vc4->qps.count);
}
