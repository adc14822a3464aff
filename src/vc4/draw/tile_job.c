/* SPDX-License-Identifier: MIT */
/* tile_job.c - see tile_job.h. */
#include "vc4/draw/tile_job.h"

#include <string.h>

static void hit_guard(void *user)
{
    struct job *job = user;
    job->conflict = true;
}

/* Restores the contents that the tile buffer has at the start of the job. Findings are dropped,
 * because they were reported when the records were first executed. */
static void restore_tile_buffer(struct job *job)
{
    struct fault_log dropped = {.sink = {0}};
    struct tlb_ports quiet = job->render_ports.tlb;
    struct tlb *tlb = &job->render.tlb;
    quiet.log = &dropped;
    if (job->start.frame_known)
        tlb_configure(tlb, &quiet, job->start.frame);
    if (job->start.clear_known)
        tlb_clear_colours(tlb, job->start.clear);
    if (job->start.cleared == TLB_ALL_HALVES)
        tlb_clear(tlb, &quiet, job->start.half);
}

static vertex_look_ahead look_ahead;

/* Fills the ports of the job's context. The semaphores and the mutex are the job's copy before the
 * job's turn, and those of the device at its turn. */
static void connect(const struct jobs_ports *ports, struct job *job, struct qpu_shared *shared,
                    struct qpu_cache *instructions)
{
    job->render_ports = (struct render_ports){
        .bus = &job->bus,
        .tile_bus = &job->tile_bus,
        .log = &job->log,
        .counts = &job->counts,
        .budget = &job->budget,
        .shared = shared,
        .profile = &job->profile,
        .tally = &job->tally,
        .trace = ports->trace,
        .instructions = instructions,
        .list_memory = ports->list_memory,
        .upcoming = {look_ahead, job},
        .qpus = ports->qpus,
        .sanitize = ports->sanitize,
    };
    render_connect(&job->render_ports, &job->render, &job->scratch);
}

/* Sets the clock of the job's context to the end of the context's previous job. If the job has
 * already been drawn, forgets the times of that drawing. */
static void set_clock(struct job *job)
{
    struct shared_units *slices = &job->render.slices;
    if (slices->end != job->clock)
        *slices = (struct shared_units){.begun = job->clock, .end = job->clock};
}

/* Prepares to draw a job from its start. ahead is true if it is drawn before its turn. */
static void begin(const struct jobs_ports *ports, struct job *job, bool ahead,
                  struct qpu_cache *instructions)
{
    struct render *render = &job->render;
    fault_drop(&job->log);
    job->log.kept = &job->kept;
    job->log.strict = ports->log->strict;
    job->log.most = ports->log->most;
    job->counts = (struct pctr_counts){0};
    job->tally.count = 0;
    profile_clear(&job->profile);
    job->profile.by_instruction = ports->profile->by_instruction;
    job->conflict = false;
    job->done = 0;
    job->begun = true;
    bus_view(&job->bus, ports->bus, &job->log, ahead ? &job->guard : NULL);
    bus_view(&job->tile_bus, ports->bus, &job->log, NULL);
    connect(ports, job, ahead ? &job->shared : ports->shared, instructions);
    set_clock(job);
    render->slices.l2_disabled = ports->slices->l2_disabled;
    render_reset(render, job->start.cleared == TLB_ALL_HALVES);
    tmu_forget_textures(&render->tmu);
    restore_tile_buffer(job);
    v3d_reservations(ports->v3d, ports->qpus, render->reserve);
    render->vertices.allocation_limit = v3d_vpm_limit(ports->v3d, CLE_RENDERING);
}

static void set_place(struct job *job, const struct operation *operation)
{
    const struct tlb *tlb = &job->render.tlb;
    job->log.place = (struct tess_place){
        .known = TESS_PLACE_LIST | (tlb->in_tile ? TESS_PLACE_TILE : 0u),
        .thread = CLE_RENDERING,
        .list_address = operation->record_address,
        .record = operation->record,
        .tile_column = tlb->column,
        .tile_row = tlb->row,
    };
}

static void carry_out(struct job *job, const struct operation *operation)
{
    struct render *render = &job->render;
    const uint8_t *data = operation->has_data ? operation->data : NULL;
    set_place(job, operation);
    switch ((enum operation_kind)operation->kind) {
    case OPERATION_RECORD:
        render_tile_record(render, &job->render_ports, operation->record, data);
        break;
    case OPERATION_STATE:
        render_set_state(render, &job->render_ports, &job->state[operation->state].state,
                         &job->state[operation->state].shader);
        break;
    case OPERATION_DRAW: render_draw(render, &job->render_ports, &operation->primitive); break;
    case OPERATION_STORE:
        render->tlb.last_store = job->closed && job->done + 1 == job->operations;
        render_store(render, &job->render_ports, operation->record, data);
        break;
    }
}

/* Writes the vertex indices of the primitives after the current primitive to index[]. Returns the
 * number of indices. This is a vertex_look_ahead function. */
static uint32_t look_ahead(void *user, uint32_t index[], uint32_t max)
{
    const struct job *job = user;
    uint32_t count = 0;
    for (uint32_t i = job->done + 1; i < job->operations && count + 3 <= max; i++) {
        const struct operation *operation = &job->operation[i];
        if (operation->kind == OPERATION_STATE &&
            memcmp(&job->state[operation->state].shader, &job->render.shader,
                   sizeof job->render.shader) == 0)
            continue;
        if (operation->kind != OPERATION_DRAW)
            break;
        for (unsigned k = 0; k < operation->primitive.vertices; k++)
            index[count++] = operation->primitive.index[k];
    }
    return count;
}

/* Carries out operations to the end of the job. If ahead is true, stops before the first operation
 * that writes memory. */
static void draw(struct job *job, bool ahead)
{
    struct render *render = &job->render;
    for (; job->done < job->operations && !render->hung && !job->conflict; job->done++) {
        const struct operation *operation = &job->operation[job->done];
        if (ahead && operation->writes)
            break;
        carry_out(job, operation);
        if (render->hung)
            break;
    }
}

void tile_job_offer(const struct jobs_ports *ports, struct job *job, const struct bus_guard *guard)
{
    job->guard = *guard;
    job->guard.hit = hit_guard;
    job->guard.user = job;
    job->guard.ahead = true;
    job->shared = *ports->shared;
    budget_part(&job->budget, ports->budget, 0);
}

void tile_job_draw_ahead(const struct jobs_ports *ports, struct job *job,
                         struct qpu_cache *instructions)
{
    const struct qpu_shared before = job->shared;
    begin(ports, job, true, instructions);
    draw(job, true);
    if (!job->render.hung && !job->conflict)
        render_flush(&job->render, &job->render_ports);
    job->conflict |= memcmp(&job->shared, &before, sizeof before) != 0;
    job->ahead = !job->render.hung && !job->conflict;
}

void tile_job_begin(const struct jobs_ports *ports, struct job *job)
{
    begin(ports, job, false, ports->instructions);
}

/* Updates the job's view of memory. The job may have begun before the host mapped or unmapped
 * memory. */
static void see_memory(const struct jobs_ports *ports, struct job *job)
{
    bus_view_again(&job->bus, ports->bus);
    bus_view_again(&job->tile_bus, ports->bus);
}

void tile_job_draw(const struct jobs_ports *ports, struct job *job, struct bus_guard *guard)
{
    see_memory(ports, job);
    connect(ports, job, ports->shared, ports->instructions);
    job->bus.guard = guard;
    budget_part(&job->budget, ports->budget, job->render.work.instructions);
    draw(job, false);
}
