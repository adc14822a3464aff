/* SPDX-License-Identifier: MIT */
/* device_create.c - creates a VideoCore IV: connects its blocks, once, and resets them.
 *
 * In:  the caller's options.
 * Out: the ports of all blocks. */
#include <stdlib.h>
#include <string.h>

#include "exec/machine_options.h"
#include "vc4/device/device.h"
#include "vc4/watch/race.h"

enum { DEFAULT_QPUS = 12 };

/* --- ports --- */

/* Fills the ports of the TMUs of a user program's QPU: in the program's turns, and while the
 * program runs ahead. */
static void connect_user_tmu(struct tess_vc4 *vc4, uint32_t number)
{
    struct run_ahead_slice *slice = &vc4->ahead_work.slice[number / SLICE_QPUS];
    struct tmu_ports *ports = &vc4->ports.user_tmu[number], *alone = &vc4->ports.alone_tmu[number];
    *ports = (struct tmu_ports){
        .bus = &vc4->bus,
        .log = &vc4->log,
        .counts = &vc4->counts,
        .slices = &vc4->slices,
        .race = vc4->race,
        .textures = &vc4->textures[number],
    };
    *alone = *ports;
    alone->bus = &slice->bus;
    alone->log = &slice->log;
    alone->counts = &slice->counts;
    alone->reads = &slice->reads;
}

static void connect_vertices(struct tess_vc4 *vc4, struct vertex_pipe_ports *ports)
{
    *ports = (struct vertex_pipe_ports){
        .bus = &vc4->bus,
        .log = &vc4->log,
        .counts = &vc4->counts,
        .budget = &vc4->budget,
        .shared = &vc4->shared,
        .slices = &vc4->slices,
        .profile = &vc4->profile,
        .trace = vc4->trace,
        .instructions = &vc4->instructions,
        .textures = &vc4->vertex_textures,
        .sanitize = machine_sanitizes(&vc4->options.machine),
    };
    vertex_pipe_connect(ports, &vc4->vertices);
}

static void connect_vpm(struct tess_vc4 *vc4, struct vpm_ports *ports)
{
    *ports = (struct vpm_ports){
        .bus = &vc4->bus,
        .log = &vc4->log,
        .counts = &vc4->counts,
        .contention = &vc4->contention,
        .race = vc4->race,
        .sanitize = machine_sanitizes(&vc4->options.machine),
    };
}

static struct qpu_ports program_ports(struct tess_vc4 *vc4, uint32_t number)
{
    return (struct qpu_ports){
        .bus = &vc4->bus,
        .log = &vc4->log,
        .shared = &vc4->shared,
        .cache = &vc4->instructions,
        .slices = &vc4->slices,
        .contention = &vc4->contention,
        .counts = &vc4->counts,
        .sanitize = machine_sanitizes(&vc4->options.machine),
        .insn_profile = profile_hot(&vc4->profile),
        .race = vc4->race,
        .trace = vc4->trace,
        .tmu = &vc4->qps.user_tmu[number],
        .tmu_ports = &vc4->ports.user_tmu[number],
        .vpm = &vc4->vpm,
        .vpm_ports = &vc4->ports.vpm,
        .vpm_port = &vc4->qps.user_vpm[number],
    };
}

/* Returns the ports of a program's QPU while the program runs ahead. */
static struct qpu_ports alone_ports(struct tess_vc4 *vc4, uint32_t number)
{
    struct run_ahead_slice *slice = &vc4->ahead_work.slice[number / SLICE_QPUS];
    struct qpu_ports ports = program_ports(vc4, number);
    ports.bus = &slice->bus;
    ports.log = &slice->log;
    ports.counts = &slice->counts;
    ports.insn_profile = vc4->profile.by_instruction ? &slice->insn_profile : NULL;
    ports.deferred = &vc4->ahead_work.deferred[number];
    ports.tmu_ports = &vc4->ports.alone_tmu[number];
    ports.alone = true;
    return ports;
}

static void connect_run_ahead(struct tess_vc4 *vc4, struct run_ahead_ports *ports)
{
    *ports = (struct run_ahead_ports){
        .bus = &vc4->bus,
        .log = &vc4->log,
        .counts = &vc4->counts,
        .budget = &vc4->budget,
        .slices = &vc4->slices,
        .contention = &vc4->contention,
        .race = vc4->race,
        .qps = &vc4->qps,
        .work = &vc4->ahead_work,
        .threads = &vc4->threads,
        .instructions = &vc4->instructions,
    };
    for (uint32_t number = 0; number < QPU_COUNT; number++)
        ports->alone[number] = alone_ports(vc4, number);
}

static void connect_qps(struct tess_vc4 *vc4, struct qps_ports *ports)
{
    *ports = (struct qps_ports){
        .bus = &vc4->bus,
        .log = &vc4->log,
        .counts = &vc4->counts,
        .budget = &vc4->budget,
        .v3d = &vc4->v3d,
        .qpus = vc4->options.qpus,
        .shared = &vc4->shared,
        .slices = &vc4->slices,
        .contention = &vc4->contention,
        .profile = &vc4->profile,
        .race = vc4->race,
        .run_ahead = &vc4->run_ahead,
    };
    for (uint32_t number = 0; number < QPU_COUNT; number++) {
        connect_user_tmu(vc4, number);
        ports->qpu[number] = program_ports(vc4, number);
    }
    connect_run_ahead(vc4, &ports->ahead);
}

static void connect_jobs(struct tess_vc4 *vc4, struct jobs_ports *ports)
{
    *ports = (struct jobs_ports){
        .bus = &vc4->bus,
        .log = &vc4->log,
        .counts = &vc4->counts,
        .budget = &vc4->budget,
        .cle = &vc4->cle,
        .draws = &vc4->draws,
        .profile = &vc4->profile,
        .list_memory = &vc4->list_memory,
        .v3d = &vc4->v3d,
        .qpus = vc4->options.qpus,
        .shared = &vc4->shared,
        .slices = &vc4->slices,
        .trace = vc4->trace,
        .instructions = &vc4->instructions,
        .window = &vc4->window,
        .threads = &vc4->threads,
        .sanitize = machine_sanitizes(&vc4->options.machine),
    };
}

static void connect_cle(struct tess_vc4 *vc4, struct cle_ports *ports)
{
    *ports = (struct cle_ports){
        .bus = &vc4->bus,
        .log = &vc4->log,
        .counts = &vc4->counts,
        .draws = &vc4->draws,
        .list_memory = &vc4->list_memory,
        .v3d = &vc4->v3d,
        .ptb = &vc4->ptb,
        .ptb_ports = &vc4->ports.ptb,
        .vertices = &vc4->vertices,
        .vertices_ports = &vc4->ports.vertices,
        .jobs = &vc4->jobs,
        .jobs_ports = &vc4->ports.jobs,
        .sanitize = machine_sanitizes(&vc4->options.machine),
    };
}

static void connect_ptb(struct tess_vc4 *vc4, struct ptb_ports *ports)
{
    *ports = (struct ptb_ports){
        .bus = &vc4->bus, .log = &vc4->log, .counts = &vc4->counts, .draws = &vc4->draws};
}

static void connect_v3d(struct tess_vc4 *vc4, struct v3d_ports *ports)
{
    *ports = (struct v3d_ports){
        .log = &vc4->log,
        .counts = &vc4->counts,
        .qpus = vc4->options.qpus,
        .cle = &vc4->cle,
        .cle_ports = &vc4->ports.cle,
        .ptb = &vc4->ptb,
        .vertices = &vc4->vertices,
        .jobs = &vc4->jobs,
        .qps = &vc4->qps,
        .qps_ports = &vc4->ports.qps,
        .shared = &vc4->shared,
        .slices = &vc4->slices,
        .race = vc4->race,
    };
}

void device_connect(struct tess_vc4 *vc4)
{
    connect_ptb(vc4, &vc4->ports.ptb);
    connect_v3d(vc4, &vc4->ports.v3d);
    connect_cle(vc4, &vc4->ports.cle);
    connect_jobs(vc4, &vc4->ports.jobs);
    connect_vertices(vc4, &vc4->ports.vertices);
    connect_vpm(vc4, &vc4->ports.vpm);
    connect_qps(vc4, &vc4->ports.qps);
}

/* --- state at power-up --- */

static void reset_blocks(struct tess_vc4 *vc4)
{
    v3d_reset(&vc4->v3d);
    cle_reset(&vc4->cle);
    qps_reset(&vc4->qps);
    run_ahead_reset(&vc4->run_ahead);
    vc4->bus.log = &vc4->log;
    shared_units_clear(&vc4->slices);
    vertex_pipe_init(&vc4->vertices);
    ptb_reset(&vc4->ptb);
    jobs_reset(&vc4->jobs, &vc4->ports.jobs);
    vpm_reset(&vc4->vpm);
}

/* Prepares the trace if the caller requested one. Returns false if the host is out of memory. */
static bool set_up_trace(struct tess_vc4 *vc4)
{
    if (!vc4->options.trace)
        return true;
    vc4->trace = calloc(1, sizeof *vc4->trace);
    if (vc4->trace) {
        vc4->trace->tell = device_report_step;
        vc4->trace->user = vc4;
    }
    return vc4->trace;
}

static bool are_usable(const struct tess_vc4_options *options)
{
    return options->qpus == 0 || options->qpus == 12 || options->qpus == 16;
}

/* Sets the options of a new device, and what the blocks take from them. */
static void take_options(struct tess_vc4 *vc4, const struct tess_vc4_options *options)
{
    const struct tess_machine_options *machine = &vc4->options.machine;
    vc4->options = *options;
    if (!vc4->options.qpus)
        vc4->options.qpus = DEFAULT_QPUS;
    if (vc4->options.trace)
        vc4->options.machine.threads = 1; /* traced instructions execute in one host thread */
    vc4->budget.max_records = vc4->options.max_records;
    vc4->budget.max_instructions = machine->max_instructions;
    vc4->budget.max_total_instructions = vc4->options.max_total_instructions;
    vc4->log.sink = (struct tess_sink){device_report, vc4};
    vc4->log.strict = machine->strict;
    vc4->log.most = machine->shown;
    vc4->threads = (struct pool_threads){.count = machine->threads,
                                         .scratch = sizeof(struct qpu_cache)};
}

enum tess_status tess_vc4_create(struct tess_vc4 **out, const struct tess_vc4_options *options)
{
    static const struct machine_defaults defaults = {0};
    struct tess_vc4_options taken;
    if (!out)
        return TESS_INVALID;
    *out = NULL;
    if (!machine_options_take(&taken, sizeof taken, options, &defaults) || !are_usable(&taken))
        return TESS_INVALID;
    /* The lanes need more alignment than calloc() guarantees. */
    struct tess_vc4 *vc4 = aligned_alloc(64, (sizeof *vc4 + 63) / 64 * 64);
    if (!vc4)
        return TESS_NO_MEMORY;
    memset(vc4, 0, sizeof *vc4);
    take_options(vc4, &taken);
    bool sanitize = machine_sanitizes(&taken.machine);
    run_ahead_work_init(&vc4->ahead_work, &vc4->log);
    if (sanitize)
        vc4->race = race_new(&vc4->log);
    bool raceless = sanitize && !vc4->race;
    if (!set_up_trace(vc4) || !job_window_create(&vc4->window, &vc4->threads) || raceless) {
        tess_vc4_destroy(vc4);
        return TESS_NO_MEMORY;
    }
    vc4->profile.by_instruction = vc4->options.profile;
    device_connect(vc4);
    reset_blocks(vc4);
    *out = vc4;
    return TESS_OK;
}

void tess_vc4_destroy(struct tess_vc4 *vc4)
{
    if (!vc4)
        return;
    pool_threads_rest(&vc4->threads);
    job_window_free(&vc4->window);
    profile_free(&vc4->profile);
    draws_free(&vc4->draws);
    free(vc4->trace);
    run_ahead_work_free(&vc4->ahead_work);
    race_free(vc4->race);
    list_memory_free(&vc4->list_memory);
    bus_free(&vc4->bus);
    fault_kept_free(&vc4->held);
    free(vc4);
}
