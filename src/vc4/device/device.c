/* SPDX-License-Identifier: MIT */
/* device.c - the VideoCore IV as a whole: the public API of tessera/vc4.h, the run loop and the
 * interrupt line.
 *
 * In:  API calls.
 * Out: register values, memory, the interrupt callback, findings.
 *
 * The binning thread, the rendering thread and the user programs take turns. Each runs until it
 * must wait. The order is fixed, so that every run gives the same result. */
#include "vc4/device/device.h"

#include <string.h>

#include "vc4/device/images.h"
#include "vc4/watch/list_memory.h"
#include "vc4/watch/race.h"

/* --- the host's floating-point environment ---
 * Setup arithmetic requires round-to-nearest. The model saves the caller's environment on entry,
 * and restores it on exit and during callbacks. */

static void enter_model(struct tess_vc4 *vc4)
{
    fegetenv(&vc4->caller);
    fesetround(FE_TONEAREST);
}

static void leave_model(struct tess_vc4 *vc4)
{
    fesetenv(&vc4->caller);
}

void device_report(void *user, const struct tess_finding *diag)
{
    struct tess_vc4 *vc4 = user;
    if (!vc4->options.machine.sink.report)
        return;
    struct tess_finding traced = *diag;
    traced.place.draw = list_origin(&vc4->list_memory, &vc4->bus, &diag->place);
    traced.place.known |= traced.place.draw ? TESS_PLACE_DRAW : 0u;
    if (vc4->in_run)
        leave_model(vc4);
    vc4->options.machine.sink.report(vc4->options.machine.sink.user, &traced);
    if (vc4->in_run)
        enter_model(vc4);
}

void device_report_step(void *user, const struct tess_vc4_step *step)
{
    struct tess_vc4 *vc4 = user;
    leave_model(vc4);
    bool goes_on = vc4->options.trace(vc4->options.trace_user, step);
    vc4->budget.paused |= !goes_on && !vc4->recorder;
    enter_model(vc4);
}

enum tess_status tess_vc4_map(struct tess_vc4 *vc4, uint32_t bus, uint32_t size, void *host)
{
    enum tess_status status = vc4 ? bus_map(&vc4->bus, bus, size, host) : TESS_INVALID;
    if (status == TESS_OK && vc4->recorder)
        vc4->recorder->mapped(vc4->recorder->user, bus, size);
    return status;
}

enum tess_status tess_vc4_unmap(struct tess_vc4 *vc4, uint32_t bus)
{
    return vc4 ? bus_unmap(&vc4->bus, bus) : TESS_INVALID;
}

static void observe(void *user, enum bus_client client, uint32_t address, uint32_t size, bool write)
{
    const struct tess_vc4 *vc4 = user;
    const struct tess_vc4_access access = {
        .unit = bus_client_name(client),
        .address = address,
        .size = size,
        .write = write,
        .code = client == BUS_QPU_CODE,
        .lists = client == BUS_PTB,
    };
    vc4->observe(vc4->observe_user, &access);
}

void tess_vc4_observe_memory(struct tess_vc4 *vc4, tess_vc4_observe *function, void *user)
{
    vc4->observe = function;
    vc4->observe_user = user;
    vc4->observer = (struct bus_observer){observe, vc4};
    vc4->bus.observer = function ? &vc4->observer : NULL;
}

void *tess_vc4_memory(struct tess_vc4 *vc4, uint32_t bus, uint32_t size)
{
    return bus_host(&vc4->bus, bus, size);
}

void vc4_watch_images(struct tess_vc4 *vc4)
{
    vc4->list_memory.remembers = true;
}

void vc4_forget_images(struct tess_vc4 *vc4)
{
    list_memory_forget(&vc4->list_memory);
}

void vc4_read_image(struct tess_vc4 *vc4, const struct cl_view *view)
{
    list_memory_picture(&vc4->list_memory, view, &vc4->log);
}

bool vc4_lacked_memory(const struct tess_vc4 *vc4)
{
    return vc4->jobs.no_memory;
}

/* Clears the place of findings before the host accesses a register, unless a run is in progress.
 * Such an access belongs to no list or program. */
static void forget_place(struct tess_vc4 *vc4)
{
    if (!vc4->in_run)
        vc4->log.place.known = 0;
}

/* Recomputes the interrupt line and calls the host if it has changed. */
static void update_interrupt(struct tess_vc4 *vc4)
{
    uint32_t status = vc4->v3d.int_status;
    /* INT_OUTOMEM is level-triggered and stays set while the binner lacks memory. */
    if (vc4->ptb.out_of_memory)
        status |= V3D_INT_OUTOMEM;
    bool level = (status & vc4->v3d.int_enabled) || vc4->shared.interrupt_latched;
    if (level == vc4->interrupt_level)
        return;
    vc4->interrupt_level = level;
    if (vc4->recorder && vc4->in_run)
        vc4->recorder->interrupt(vc4->recorder->user);
    if (!vc4->options.interrupt)
        return;
    jobs_still(&vc4->ports.jobs);
    if (vc4->in_run)
        leave_model(vc4);
    vc4->options.interrupt(vc4->options.interrupt_user, level);
    if (vc4->in_run)
        enter_model(vc4);
}

uint32_t tess_vc4_read(struct tess_vc4 *vc4, uint32_t offset)
{
    forget_place(vc4);
    return v3d_read(&vc4->v3d, &vc4->ports.v3d, offset);
}

void tess_vc4_write(struct tess_vc4 *vc4, uint32_t offset, uint32_t value)
{
    forget_place(vc4);
    if (vc4->recorder)
        vc4->recorder->write(vc4->recorder->user, offset, value, vc4->in_run);
    if (v3d_write(&vc4->v3d, &vc4->ports.v3d, offset, value))
        update_interrupt(vc4);
}

bool tess_vc4_interrupt_level(const struct tess_vc4 *vc4)
{
    return vc4->interrupt_level;
}

uint64_t tess_vc4_error_count(const struct tess_vc4 *vc4)
{
    return vc4->log.errors;
}

void tess_vc4_get_stats(const struct tess_vc4 *vc4, struct tess_vc4_stats *stats)
{
    const struct render_work *drawn = &vc4->jobs.work;
    *stats = (struct tess_vc4_stats){.records = vc4->cle.records};
    stats->instructions = vc4->qps.instructions + drawn->instructions + vc4->vertices.executed;
    stats->shader_runs = vc4->qps.shader_runs + drawn->shader_runs + vc4->vertices.shader_runs;
    stats->primitives_drawn = drawn->primitives;
    stats->tiles = drawn->tiles;
    stats->quads = drawn->quads;
    stats->primitives_binned = vc4->ptb.primitives;
    stats->clocks = vc4->counts.clocks + qps_now(&vc4->qps, &vc4->ports.qps) - vc4->slices.begun;
    stats->texture_words = vc4->counts.texels;
    memcpy(stats->draw_counts, vc4->draws.total, sizeof stats->draw_counts);
    stats->texture_lookups = drawn->texture_lookups + vc4->vertices.tmu.lookups;
    for (unsigned i = 0; i < QPU_COUNT; i++)
        stats->texture_lookups += vc4->qps.user_tmu[i].lookups;
}

uint32_t tess_vc4_draw_count(const struct tess_vc4 *vc4)
{
    const struct tess_vc4_draw_stats *others = &vc4->draws.row[DRAWS_ROWS];
    return vc4->draws.rows + (others->executed || draws_any(others));
}

bool tess_vc4_get_draw_stats(const struct tess_vc4 *vc4, uint32_t index,
                             struct tess_vc4_draw_stats *stats)
{
    if (index >= tess_vc4_draw_count(vc4))
        return false;
    *stats = vc4->draws.row[index < vc4->draws.rows ? index : DRAWS_ROWS];
    return true;
}

/* Latches the interrupts that the blocks have raised. */
static void collect_events(struct tess_vc4 *vc4)
{
    if (vc4->ptb.used_overspill) {
        vc4->ptb.used_overspill = false;
        vc4->v3d.int_status |= V3D_INT_SPILLUSE;
    }
    if (vc4->ptb.out_of_memory)
        vc4->v3d.int_status |= V3D_INT_OUTOMEM;
    update_interrupt(vc4);
}

static bool must_end(const struct tess_vc4 *vc4)
{
    return vc4->budget.used_up || vc4->jobs.hung || vc4->vertices.hung;
}

/* Returns the number of tiles in the frame of the latest record 113, or 0 before the first record
 * 113. Assumes that stores do not decimate the image. */
static uint64_t tiles_of_frame(const struct tess_vc4 *vc4)
{
    const struct job_start *setup = &vc4->jobs.setup;
    if (!setup->frame_known)
        return 0;
    struct tlb_geometry tile = tlb_frame_geometry(setup->frame);
    uint64_t width = CL_GET(setup->frame, TILE_RENDERING_MODE, WIDTH);
    uint64_t height = CL_GET(setup->frame, TILE_RENDERING_MODE, HEIGHT);
    return (width + tile.width - 1) / tile.width * ((height + tile.height - 1) / tile.height);
}

static void report_progress(struct tess_vc4 *vc4)
{
    if (!vc4->options.progress)
        return;
    const struct tess_vc4_progress progress = {
        .tiles = vc4->jobs.work.tiles - vc4->progress.tiles_before,
        .tiles_of = tiles_of_frame(vc4),
        .instructions = budget_total_limit(&vc4->budget) - vc4->budget.instructions_left,
    };
    leave_model(vc4);
    vc4->options.progress(vc4->options.progress_user, &progress);
    enter_model(vc4);
}

static bool spend_record(struct tess_vc4 *vc4)
{
    enum { PROGRESS_EVERY = 64 };
    if (vc4->budget.records_left % PROGRESS_EVERY == 0)
        report_progress(vc4);
    return budget_spend_record(&vc4->budget, &vc4->log);
}

/* Runs a control list thread until it stops or waits, or the run pauses. */
static void run_thread(struct tess_vc4 *vc4, unsigned thread)
{
    while (!must_end(vc4) && !vc4->budget.paused) {
        enum cle_step step = cle_step(&vc4->cle, &vc4->ports.cle, thread);
        collect_events(vc4);
        bool memory_came = step == CLE_WAITS && thread == CLE_BINNING && vc4->ptb.overspill_size &&
                           !vc4->ptb.out_of_memory && !vc4->cle.thread[thread].waiting;
        if (step != CLE_MOVED && !memory_came)
            break;
        vc4->progress.moved = true;
        if (jobs_settle(&vc4->jobs, &vc4->ports.jobs) || !spend_record(vc4))
            break;
        budget_step(&vc4->budget);
    }
}

/* Leaves the rendering thread. A pause leaves operations in the queue, unless the run must end. */
static void leave_rendering(struct tess_vc4 *vc4)
{
    struct budget *budget = &vc4->budget;
    budget->paused = budget->paused && !must_end(vc4) && jobs_pause(&vc4->jobs, &vc4->ports.jobs);
    if (!budget->paused)
        jobs_leave(&vc4->jobs, &vc4->ports.jobs);
    jobs_settle(&vc4->jobs, &vc4->ports.jobs);
}

/* Runs the rendering thread. The thread only queues drawing operations. leave_rendering() executes
 * the queue before any other block continues. */
static void run_rendering(struct tess_vc4 *vc4, bool continued)
{
    if (!continued && !vc4->cle.thread[CLE_RENDERING].running)
        return;
    jobs_enter(&vc4->ports.jobs);
    run_thread(vc4, CLE_RENDERING);
    leave_rendering(vc4);
}

/* Runs the binning thread with its coordinate shaders. */
static void run_binning(struct tess_vc4 *vc4, bool continued)
{
    struct vertex_pipe *vertices = &vc4->vertices;
    if (!continued) {
        v3d_reservations(&vc4->v3d, vc4->options.qpus, vertices->reserve);
        vertices->allocation_limit = v3d_vpm_limit(&vc4->v3d, CLE_BINNING);
    }
    run_thread(vc4, CLE_BINNING);
}

static bool anything_left(const struct tess_vc4 *vc4)
{
    return vc4->cle.thread[CLE_BINNING].running || vc4->cle.thread[CLE_RENDERING].running ||
           qps_busy(&vc4->qps);
}

/* Ends the timing phase of coordinate shaders and user programs when none of them is left. */
static void close_phase(struct tess_vc4 *vc4)
{
    if (!vc4->cle.thread[CLE_BINNING].running && !qps_busy(&vc4->qps))
        shared_units_close(&vc4->slices, vc4->options.qpus, &vc4->counts);
}

static void run_programs(struct tess_vc4 *vc4, bool continued)
{
    if (!must_end(vc4) && (continued || qps_busy(&vc4->qps)))
        vc4->progress.moved |= qps_step(&vc4->qps, &vc4->ports.qps);
    if (vc4->budget.paused)
        return;
    close_phase(vc4);
    collect_events(vc4);
    report_progress(vc4);
}

static void run_part(struct tess_vc4 *vc4, bool continued)
{
    switch (vc4->progress.part) {
    case RUN_BINNING: run_binning(vc4, continued); break;
    case RUN_RENDERING: run_rendering(vc4, continued); break;
    default: run_programs(vc4, continued); break;
    }
}

/* Runs the parts of a round that are left. Returns false if the run pauses. */
static bool run_round(struct tess_vc4 *vc4)
{
    struct run_progress *progress = &vc4->progress;
    for (; progress->part < RUN_PARTS; progress->part++) {
        run_part(vc4, progress->inside);
        progress->inside = vc4->budget.paused && !must_end(vc4);
        if (progress->inside)
            return false;
    }
    return true;
}

static void begin_round(struct run_progress *progress)
{
    progress->part = RUN_BINNING;
    progress->moved = false;
}

/* Runs rounds until nothing makes progress. Returns false if the run pauses. */
static bool run_all(struct tess_vc4 *vc4)
{
    while (!must_end(vc4) || vc4->progress.inside) {
        if (!run_round(vc4))
            return false;
        if (!vc4->progress.moved)
            break;
        begin_round(&vc4->progress);
    }
    return true;
}

/* Reports draws that changed no pixel, unless the run has an error that may be the cause. */
static void report_draws(struct tess_vc4 *vc4, uint64_t errors_before)
{
    bool whole = !must_end(vc4) && !vc4->qps.stuck && vc4->log.errors == errors_before;
    draws_report(&vc4->draws, whole ? &vc4->log : NULL, vc4->options.draw_notes);
}

static void begin_run(struct tess_vc4 *vc4)
{
    vc4->progress = (struct run_progress){.errors = vc4->log.errors,
                                          .tiles_before = vc4->jobs.work.tiles};
    budget_begin(&vc4->budget, qps_now(&vc4->qps, &vc4->ports.qps));
    vc4->qps.stuck = false;
    if (!vc4->options.trace) /* in a trace, findings must appear at their instructions */
        fault_hold(&vc4->log, &vc4->held);
}

/* Reports what is reported at the end of a run. Returns the reason for the end. */
static enum tess_vc4_stop end_run(struct tess_vc4 *vc4)
{
    report_draws(vc4, vc4->progress.errors);
    if (vc4->log.holds)
        fault_release(&vc4->log);
    if (vc4->budget.used_up)
        return TESS_VC4_BUDGET;
    if (vc4->qps.stuck || anything_left(vc4))
        return TESS_VC4_STUCK;
    if (vc4->race)
        race_host(vc4->race);
    return TESS_VC4_IDLE;
}

/* Begins a run, or continues a paused run. Runs do not pause while they are recorded. */
static enum tess_vc4_stop run(struct tess_vc4 *vc4)
{
    budget_limit_steps(&vc4->budget, !vc4->recorder);
    vc4->in_run = true;
    enter_model(vc4);
    if (!vc4->progress.paused)
        begin_run(vc4);
    vc4->progress.paused = !run_all(vc4);
    enum tess_vc4_stop stop = vc4->progress.paused ? TESS_VC4_PAUSED : end_run(vc4);
    leave_model(vc4);
    vc4->in_run = false;
    return stop;
}

enum tess_vc4_stop tess_vc4_run(struct tess_vc4 *vc4)
{
    const struct vc4_recorder *recorder = vc4->recorder;
    if (recorder)
        recorder->begin(recorder->user);
    pool_threads_wake(&vc4->threads);
    enum tess_vc4_stop stop = run(vc4);
    if (recorder)
        recorder->end(recorder->user, stop);
    return stop;
}

void tess_vc4_set_step_limit(struct tess_vc4 *vc4, uint64_t steps)
{
    vc4->budget.step_limit = steps;
}

void tess_vc4_set_clock_limit(struct tess_vc4 *vc4, uint64_t clocks)
{
    vc4->budget.clock_limit = clocks;
}

void tess_vc4_report_late(struct tess_vc4 *vc4)
{
    if (vc4->budget.late)
        qps_report_late(&vc4->qps, &vc4->ports.qps);
}

void tess_vc4_stop_programs(struct tess_vc4 *vc4)
{
    qps_stop(&vc4->qps, &vc4->ports.qps);
    close_phase(vc4);
}

void tess_vc4_rest(struct tess_vc4 *vc4)
{
    pool_threads_rest(&vc4->threads);
}

void tess_vc4_report_stuck(struct tess_vc4 *vc4)
{
    for (unsigned thread = 0; thread < CLE_THREADS; thread++)
        cle_report_wait(&vc4->cle, &vc4->ports.cle, thread);
    qps_report_stuck(&vc4->qps, &vc4->ports.qps);
    vc4->log.place.known = 0;
}

/* --- user programs --- */

static void copy_registers(uint32_t (*to)[16], const lanes *from, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        memcpy(to[i], &from[i], sizeof to[i]);
}

bool tess_vc4_get_qpu(const struct tess_vc4 *vc4, unsigned number, struct tess_vc4_qpu *qpu)
{
    static const char *const states[] = {
        [QPU_IDLE] = "idle",   [QPU_RUNNING] = "runs",  [QPU_WAITING] = "waits",
        [QPU_ENDED] = "ended", [QPU_BROKEN] = "broken", [QPU_LIMIT] = "runs",
    };
    memset(qpu, 0, sizeof *qpu);
    if (number >= QPU_COUNT)
        return false;
    const struct qpu *from = &vc4->qps.user[number];
    qpu->state = states[from->state];
    qpu->start = from->start;
    qpu->pc = from->pc;
    qpu->uniform = from->uniform;
    qpu->z = from->z;
    qpu->n = from->n;
    qpu->c = from->c;
    copy_registers(qpu->ra, from->ra, 32);
    copy_registers(qpu->rb, from->rb, 32);
    copy_registers(qpu->r, from->r, 6);
    return true;
}
