/* SPDX-License-Identifier: MIT */
/* gp.c - the public API of the vertex processor: handles, programs, rows.
 *
 * In:      programs (struct tess_gp_program), rows, batches of vertices.
 * Out:     the results that exec.c computes. exec/waves.h distributes the work to host threads.
 * Source:  include/tessera/utgard.h specifies the behaviour. */
#include "mali/gp/gp.h"

#include <stdlib.h>
#include <string.h>

#include "exec/machine_options.h"
#include "exec/waves.h"
#include "mali/gp/attribute.h"
#include "mali/gp/varying.h"

enum tess_status tess_gp_create(struct tess_gp **out, const struct tess_gp_options *options)
{
    static const struct machine_defaults defaults = {TESS_GP_LIMIT, true};
    struct tess_gp_options taken;
    if (!out)
        return TESS_INVALID;
    *out = NULL;
    if (!machine_options_take(&taken, sizeof taken, options, &defaults))
        return TESS_INVALID;
    struct tess_gp *gp = calloc(1, sizeof *gp);
    if (!gp)
        return TESS_NO_MEMORY;
    gp->options = taken;
    gp->faults = (struct item_log){.rules = FAULT_RULES, .lines = FAULT_LINES};
    *out = gp;
    return TESS_OK;
}

static void unload(struct tess_gp *gp)
{
    gp_code_free(gp->code);
    gp_code_free(gp->watched_code);
    gp->code = gp->watched_code = NULL;
    gp->program = NULL;
    gp->stopped = false;
    item_reported_free(&gp->reported);
}

void tess_gp_destroy(struct tess_gp *gp)
{
    if (!gp)
        return;
    unload(gp);
    for (unsigned i = 0; i < POOL_THREADS_MAX; i++)
        gp_machine_free(gp->machine[i]);
    item_log_free(&gp->faults);
    free(gp);
}

/* --- programs and rows --- */

/* Returns the number of the varying gl_Position, or -1 if the program has no such varying. */
static int find_position(const struct tess_gp_program *program)
{
    const struct tess_gp_symbol *symbol = tess_gp_program_find(program, TESS_GP_VARYING,
                                                               "gl_Position");
    return symbol ? (int)symbol->number : -1;
}

enum tess_status gp_decode_for(const struct tess_gp *gp, bool watched, struct gp_code **code)
{
    size_t instructions;
    const uint32_t *words = tess_gp_program_code(gp->program, &instructions);
    struct gp_decode_options options = {
        .handlers = gp_handlers_native(),
        .choices = gp->options.choices,
        .watched = watched,
        .checked = machine_sanitizes(&gp->options.machine),
        .position = find_position(gp->program),
    };
    if (!words || instructions < 1 || instructions > GP_PROGRAM_MAX)
        return TESS_INVALID;
    return gp_decode_program(words, (uint32_t)instructions, &options, code);
}

static void load_constants(struct tess_gp *gp)
{
    const struct tess_gp_symbol *symbol;
    for (size_t i = 0; (symbol = tess_gp_program_symbol(gp->program, i)) != NULL; i++)
        if (symbol->kind == TESS_GP_CONSTANT)
            tess_gp_set_rows(gp, symbol->number, symbol->values, 1);
}

static void find_owners(struct tess_gp *gp)
{
    const struct tess_gp_symbol *symbol;
    memset(gp->owner, 0, sizeof gp->owner);
    for (size_t i = 0; (symbol = tess_gp_program_symbol(gp->program, i)) != NULL; i++)
        for (uint32_t k = 0; k < symbol->count && symbol->number + k < TESS_GP_ROWS; k++)
            if (symbol->kind == TESS_GP_UNIFORM || symbol->kind == TESS_GP_CONSTANT)
                gp->owner[symbol->number + k] = symbol;
}

enum tess_status tess_gp_load(struct tess_gp *gp, const struct tess_gp_program *program)
{
    if (!gp_is_idle(gp) || !program)
        return TESS_INVALID;
    unload(gp);
    gp->program = program;
    enum tess_status status = gp_decode_for(gp, false, &gp->code);
    if (status) {
        unload(gp);
        return status;
    }
    load_constants(gp);
    find_owners(gp);
    return TESS_OK;
}

enum tess_status tess_gp_set_rows(struct tess_gp *gp, uint32_t first, const float *values,
                                  uint32_t rows)
{
    if (!gp || (!values && rows) || first > TESS_GP_ROWS || rows > TESS_GP_ROWS - first)
        return TESS_INVALID;
    if (rows == 0)
        return TESS_OK;
    memcpy(gp->rows[first], values, rows * sizeof gp->rows[0]);
    memset(gp->row_set + first, true, rows);
    return TESS_OK;
}

const float *tess_gp_row(const struct tess_gp *gp, uint32_t row)
{
    return gp && row < TESS_GP_ROWS ? gp->rows[row] : NULL;
}

void tess_gp_get_stats(const struct tess_gp *gp, struct tess_gp_stats *stats)
{
    *stats = gp ? gp->stats : (struct tess_gp_stats){0};
}

void gp_add_stats(struct tess_gp_stats *to, const struct tess_gp_stats *from)
{
    to->vertices += from->vertices;
    to->instructions += from->instructions;
    to->branches += from->branches;
    to->taken += from->taken;
}

/* --- runs --- */

bool gp_is_idle(const struct tess_gp *gp)
{
    return gp && !gp->busy;
}

bool gp_batch_is_valid(const struct tess_gp *gp, const struct tess_gp_batch *batch)
{
    if (!gp_is_idle(gp) || !gp->code || !batch || batch->count > SIZE_MAX - batch->first)
        return false;
    for (unsigned i = 0; i < TESS_GP_ATTRIBUTES; i++)
        if (batch->attributes && !gp_attribute_is_valid(&batch->attributes[i]))
            return false;
    for (unsigned i = 0; i < TESS_GP_VARYINGS; i++)
        if (batch->varyings && !gp_varying_is_valid(&batch->varyings[i]))
            return false;
    return true;
}

struct gp_machine *gp_machine_ready(struct tess_gp *gp, unsigned number, const struct gp_code *code,
                                    const struct tess_gp_batch *batch)
{
    struct gp_machine **machine = &gp->machine[number];
    if (!*machine)
        *machine = gp_machine_create();
    if (!*machine)
        return NULL;
    (*machine)->flush = gp->options.choices.keep_denormals ? 0 : 0x7fffffff;
    (*machine)->limit = gp->options.machine.max_instructions;
    (*machine)->batch = batch;
    (*machine)->row_set = gp->row_set;
    (*machine)->owner = gp->owner;
    return gp_machine_load(*machine, code, gp->rows) ? *machine : NULL;
}

enum tess_status gp_run_ended(struct tess_gp *gp, const struct tess_gp_batch *batch, bool runaway,
                              bool failed)
{
    failed |= gp->faults.failed;
    gp->faults.failed = false;
    gp->reported.most = gp->options.machine.shown;
    if (!batch->more || failed || runaway)
        fault_report(&gp->faults, &gp->reported, gp->program, &gp->options.machine);
    if (failed)
        return TESS_NO_MEMORY;
    return runaway ? TESS_WRONG : TESS_OK;
}

/* A run of all vertices of a batch, for waves.h. */
struct run {
    struct tess_gp *gp;
    const struct tess_gp_batch *batch;
};

/* The result of a chunk. */
struct chunk {
    struct tess_gp_stats stats;
    struct item_log faults;
};

static bool make_ready(void *user, unsigned worker)
{
    const struct run *run = user;
    return gp_machine_ready(run->gp, worker, run->gp->code, run->batch) != NULL;
}

static void begin_chunk(void *user, unsigned worker)
{
    struct gp_machine *machine = ((const struct run *)user)->gp->machine[worker];
    machine->stats = (struct tess_gp_stats){0};
    machine->runaway = machine->failed = false;
}

static enum waves_end run_vector(void *user, unsigned worker, size_t first, unsigned lanes)
{
    const struct run *run = user;
    struct gp_machine *machine = run->gp->machine[worker];
    gp_run_lanes(machine, run->batch->first + first, lanes);
    return machine->failed ? WAVES_FAILED : machine->runaway ? WAVES_RUNAWAY : WAVES_DONE;
}

static void take_chunk(void *user, unsigned worker, void *result)
{
    struct gp_machine *machine = ((const struct run *)user)->gp->machine[worker];
    struct chunk *chunk = result;
    chunk->stats = machine->stats;
    item_log_take(&chunk->faults, &machine->faults);
}

static void combine_chunk(void *user, void *result)
{
    struct tess_gp *gp = ((const struct run *)user)->gp;
    const struct chunk *chunk = result;
    gp_add_stats(&gp->stats, &chunk->stats);
    item_log_merge(&gp->faults, &chunk->faults);
}

static void drop_chunk(void *result)
{
    item_log_free(&((struct chunk *)result)->faults);
}

enum tess_status tess_gp_run(struct tess_gp *gp, const struct tess_gp_batch *batch)
{
    if (!gp_batch_is_valid(gp, batch))
        return TESS_INVALID;
    struct run run = {gp, batch};
    const struct waves waves = {.user = &run,
                                .threads = gp->options.machine.threads,
                                .count = batch->count,
                                .lanes = GP_LANES,
                                .result = sizeof(struct chunk),
                                .ready = make_ready,
                                .begin = begin_chunk,
                                .run = run_vector,
                                .take = take_chunk,
                                .combine = combine_chunk,
                                .drop = drop_chunk};
    gp->busy = true;
    gp->stopped = false;
    enum waves_end end = waves_run(&waves);
    enum tess_status status = gp_run_ended(gp, batch, end == WAVES_RUNAWAY, end == WAVES_FAILED);
    gp->busy = false;
    return status;
}
