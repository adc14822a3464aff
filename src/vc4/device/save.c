/* SPDX-License-Identifier: MIT */
/* save.c - saves and restores the state of a VideoCore IV (base/state.h).
 *
 * In:      a device between two runs, or during a pause of a run.
 * Out:     the fields of all blocks, in the order of list_device(). Each block lists its fields.
 * Left out: options, callbacks, the recorder and mapped memory, which belong to the caller. The
 *          identity has a hash of the options and of the map of the memory. Decoded instructions
 *          and textures, and host threads, are made again. */
#include <string.h>

#include "base/state.h"
#include "vc4/device/device.h"
#include "vc4/watch/race.h"

enum { VERSION = 2 };

/* --- the identity --- */

static uint64_t hash_memory(uint64_t hash, const struct bus *bus)
{
    hash = state_hash(hash, bus->count);
    for (size_t i = 0; i < bus->count; i++) {
        hash = state_hash(hash, bus->regions[i].base);
        hash = state_hash(hash, bus->regions[i].size);
    }
    return hash;
}

static struct state_identity identity_of(const struct tess_vc4 *vc4)
{
    const struct tess_vc4_options *options = &vc4->options;
    uint64_t hash = HASH_START;
    hash = state_hash(hash, options->machine.max_instructions);
    hash = state_hash(hash, options->max_records);
    hash = state_hash(hash, options->max_total_instructions);
    hash = state_hash(hash, options->machine.strict);
    hash = state_hash(hash, options->machine.sanitize);
    hash = state_hash(hash, options->profile);
    hash = state_hash(hash, options->qpus);
    hash = state_hash(hash, options->machine.shown);
    hash = state_hash(hash, options->draw_notes);
    return (struct state_identity){.machine = STATE_TAG('V', 'C', '4', ' '),
                                   .version = VERSION,
                                   .options = hash_memory(hash, &vc4->bus)};
}

/* --- the fields --- */

static void list_run(struct state_stream *stream, struct tess_vc4 *vc4)
{
    struct run_progress *progress = &vc4->progress;
    struct state_section section = state_open(stream, STATE_TAG('R', 'U', 'N', ' '));
    STATE_FIELDS(stream, &progress->paused, &progress->inside);
    state_enum(stream, &progress->part, RUN_PARTS + 1);
    state_require(stream, progress->part < RUN_PARTS || !progress->inside);
    state_require(stream, progress->inside == progress->paused);
    STATE_FIELDS(stream, &progress->moved, &progress->errors, &progress->tiles_before);
    budget_fields(stream, &vc4->budget);
    state_bool(stream, &vc4->interrupt_level);
    state_close(stream, &section);
}

/* Lists the log. Findings are held only during a pause. */
static void list_findings(struct state_stream *stream, struct tess_vc4 *vc4)
{
    fault_log_fields(stream, &vc4->log, &vc4->held);
    state_require(stream, vc4->log.holds == (vc4->log.kept != NULL));
    state_require(stream, !vc4->log.holds || vc4->progress.paused);
}

static void list_device(struct state_stream *stream, void *object)
{
    struct tess_vc4 *vc4 = object;
    list_run(stream, vc4);
    list_findings(stream, vc4);
    v3d_fields(stream, &vc4->v3d);
    draws_fields(stream, &vc4->draws);
    cle_fields(stream, &vc4->cle, &vc4->draws);
    list_memory_fields(stream, &vc4->list_memory);
    vertex_pipe_fields(stream, &vc4->vertices);
    ptb_fields(stream, &vc4->ptb);
    jobs_fields(stream, &vc4->jobs, &vc4->ports.jobs);
    vpm_fields(stream, &vc4->vpm);
    qpu_shared_fields(stream, &vc4->shared);
    qps_fields(stream, &vc4->qps);
    run_ahead_fields(stream, &vc4->run_ahead, &vc4->ahead_work);
    if (vc4->race)
        race_fields(stream, vc4->race);
    pctr_fields(stream, &vc4->counts);
    shared_units_fields(stream, &vc4->slices);
    contention_fields(stream, &vc4->contention);
    profile_fields(stream, &vc4->profile);
}

/* --- saving --- */

static bool is_idle(const struct tess_vc4 *vc4)
{
    return vc4 && !vc4->in_run;
}

size_t tess_vc4_state_size(const struct tess_vc4 *vc4)
{
    return is_idle(vc4) ? state_measure(list_device, vc4) : 0;
}

enum tess_status tess_vc4_save_state(const struct tess_vc4 *vc4, void *to, size_t size)
{
    if (!is_idle(vc4))
        return TESS_INVALID;
    const struct state_identity identity = identity_of(vc4);
    return state_save(&identity, list_device, vc4, to, size);
}

/* --- restoring --- */

#define EXCHANGE(one, other, member) \
    state_exchange(&(one)->member, &(other)->member, sizeof(one)->member)

static void take_run(struct tess_vc4 *vc4, const struct tess_vc4 *scratch)
{
    uint64_t step_limit = vc4->budget.step_limit;
    vc4->progress = scratch->progress;
    vc4->budget = scratch->budget;
    vc4->budget.step_limit = step_limit;
    vc4->interrupt_level = scratch->interrupt_level;
}

static void take_findings(struct tess_vc4 *vc4, struct tess_vc4 *scratch)
{
    struct tess_sink sink = vc4->log.sink;
    EXCHANGE(vc4, scratch, held);
    vc4->log = scratch->log;
    vc4->log.sink = sink;
    vc4->log.kept = vc4->log.holds ? &vc4->held : NULL;
}

/* Exchanges the parts that have memory of their own. */
static void take_memory(struct tess_vc4 *vc4, struct tess_vc4 *scratch)
{
    EXCHANGE(vc4, scratch, draws);
    EXCHANGE(vc4, scratch, list_memory);
    EXCHANGE(vc4, scratch, profile);
    for (unsigned i = 0; i < SLICES; i++)
        EXCHANGE(&vc4->ahead_work.slice[i], &scratch->ahead_work.slice[i], insn_profile);
    job_window_swap(&vc4->window, &scratch->window);
    EXCHANGE(vc4, scratch, race);
    if (vc4->race)
        vc4->race->log = &vc4->log;
}

/* Moves the state from a scratch device, and leaves the old memory there. */
static void take(struct tess_vc4 *vc4, struct tess_vc4 *scratch)
{
    take_run(vc4, scratch);
    take_findings(vc4, scratch);
    take_memory(vc4, scratch);
    vc4->v3d = scratch->v3d;
    vc4->cle = scratch->cle;
    vc4->vertices = scratch->vertices;
    vc4->ptb = scratch->ptb;
    vc4->jobs = scratch->jobs;
    vc4->vpm = scratch->vpm;
    vc4->shared = scratch->shared;
    vc4->qps = scratch->qps;
    vc4->run_ahead = scratch->run_ahead;
    vc4->counts = scratch->counts;
    vc4->slices = scratch->slices;
    vc4->contention = scratch->contention;
    device_connect(vc4); /* the sanitizer has moved */
}

/* Creates a device with the same options, but without callbacks and threads. */
static enum tess_status make_scratch(const struct tess_vc4 *vc4, struct tess_vc4 **scratch)
{
    struct tess_vc4_options options = vc4->options;
    options.machine.threads = 1;
    options.machine.sink.report = NULL;
    options.interrupt = NULL;
    options.trace = NULL;
    options.progress = NULL;
    return tess_vc4_create(scratch, &options);
}

enum tess_status tess_vc4_restore_state(struct tess_vc4 *vc4, const void *from, size_t size)
{
    if (!is_idle(vc4) || vc4->recorder || !from)
        return TESS_INVALID;
    const struct state_identity identity = identity_of(vc4);
    struct tess_vc4 *scratch;
    enum tess_status status = make_scratch(vc4, &scratch);
    if (status != TESS_OK)
        return status;
    status = state_restore(&identity, list_device, scratch, from, size);
    if (status == TESS_OK)
        take(vc4, scratch);
    tess_vc4_destroy(scratch);
    return status;
}
