/* SPDX-License-Identifier: MIT */
/* core.c - the public API of the shader core: handles, constants, programs, memory, runs.
 *
 * In:      constants of all kinds, programs (struct tess_a2xx_program), memory, batches.
 * Out:     the results that exec.c computes. exec/waves.h distributes the work to host threads.
 * Source:  include/tessera/a2xx.h specifies the behaviour; docs/hardware/a2xx.md, section 16. */
#include "a2xx/shader/core.h"

#include <stdlib.h>
#include <string.h>

#include "exec/machine_options.h"
#include "exec/waves.h"

enum tess_status tess_a2xx_create(struct tess_a2xx **out, const struct tess_a2xx_options *options)
{
    static const struct machine_defaults defaults = {TESS_A2XX_LIMIT, true};
    struct tess_a2xx_options taken;
    if (!out)
        return TESS_INVALID;
    *out = NULL;
    if (!machine_options_take(&taken, sizeof taken, options, &defaults))
        return TESS_INVALID;
    struct tess_a2xx *a2xx = calloc(1, sizeof *a2xx);
    if (!a2xx)
        return TESS_NO_MEMORY;
    a2xx->options = taken;
    a2xx->faults = (struct item_log){.rules = A2XX_FAULTS, .lines = A2XX_FAULT_LINES};
    a2xx->window[TESS_A2XX_VERTEX] = (struct a2xx_window){0, A2XX_CONSTANTS};
    a2xx->window[TESS_A2XX_PIXEL] = (struct a2xx_window){A2XX_CONSTANTS, A2XX_CONSTANTS};
    *out = a2xx;
    return TESS_OK;
}

static void unload(struct tess_a2xx *a2xx, enum tess_a2xx_stage stage)
{
    struct a2xx_loaded *loaded = &a2xx->loaded[stage];
    a2xx_code_free(loaded->code);
    item_reported_free(&loaded->reported);
    *loaded = (struct a2xx_loaded){0};
}

void tess_a2xx_destroy(struct tess_a2xx *a2xx)
{
    if (!a2xx)
        return;
    for (unsigned i = 0; i < A2XX_STAGES; i++)
        unload(a2xx, i);
    for (unsigned i = 0; i < POOL_THREADS_MAX; i++)
        a2xx_machine_free(a2xx->machine[i]);
    a2xx_memory_free(&a2xx->memory);
    item_log_free(&a2xx->faults);
    free(a2xx);
}

/* --- constants --- */

static bool is_stage(enum tess_a2xx_stage stage)
{
    return stage == TESS_A2XX_VERTEX || stage == TESS_A2XX_PIXEL;
}

enum tess_status tess_a2xx_set_window(struct tess_a2xx *a2xx, enum tess_a2xx_stage stage,
                                      uint32_t base, uint32_t size)
{
    if (!a2xx || !is_stage(stage) || base >= TESS_A2XX_CONSTANTS ||
        size > TESS_A2XX_CONSTANTS - base)
        return TESS_INVALID;
    a2xx->window[stage] = (struct a2xx_window){base, size};
    return TESS_OK;
}

enum tess_status tess_a2xx_set_constants(struct tess_a2xx *a2xx, enum tess_a2xx_stage stage,
                                         uint32_t first, const float *values, uint32_t count)
{
    if (!a2xx || !is_stage(stage) || (!values && count) || first > a2xx->window[stage].size ||
        count > a2xx->window[stage].size - first)
        return TESS_INVALID;
    if (count == 0)
        return TESS_OK;
    uint32_t at = a2xx->window[stage].base + first;
    memcpy(a2xx->constants.value[at], values, count * sizeof a2xx->constants.value[0]);
    memset(a2xx->constants.value_set + at, true, count);
    return TESS_OK;
}

enum tess_status tess_a2xx_set_bool(struct tess_a2xx *a2xx, uint32_t number, bool value)
{
    if (!a2xx || number >= TESS_A2XX_BOOLS)
        return TESS_INVALID;
    a2xx->constants.boolean[number] = value;
    a2xx->constants.boolean_set[number] = true;
    return TESS_OK;
}

enum tess_status tess_a2xx_set_loop(struct tess_a2xx *a2xx, uint32_t number, uint32_t count,
                                    uint32_t start, int32_t step)
{
    if (!a2xx || number >= TESS_A2XX_LOOPS || count > UINT8_MAX || start > UINT8_MAX ||
        step < INT8_MIN || step > INT8_MAX)
        return TESS_INVALID;
    a2xx->constants.loop[number] = (struct a2xx_loop_constant){
        .count = (uint8_t)count, .start = (uint8_t)start, .step = (int8_t)step, .set = true};
    return TESS_OK;
}

enum tess_status tess_a2xx_set_fetch(struct tess_a2xx *a2xx, uint32_t first, const uint32_t *words,
                                     uint32_t count)
{
    if (!a2xx || (!words && count) || first > TESS_A2XX_FETCH_WORDS ||
        count > TESS_A2XX_FETCH_WORDS - first)
        return TESS_INVALID;
    if (count)
        memcpy(a2xx->constants.fetch + first, words, count * sizeof *words);
    return TESS_OK;
}

enum tess_status tess_a2xx_map(struct tess_a2xx *a2xx, uint32_t address, void *bytes, size_t size,
                               bool writable)
{
    if (!a2xx || (!bytes && size))
        return TESS_INVALID;
    return a2xx_memory_map(&a2xx->memory, address, bytes, size, writable);
}

void tess_a2xx_unmap(struct tess_a2xx *a2xx, uint32_t address)
{
    if (a2xx)
        a2xx_memory_unmap(&a2xx->memory, address);
}

/* --- programs --- */

static void load_constants(struct tess_a2xx *a2xx, enum tess_a2xx_stage stage)
{
    const struct tess_a2xx_program *program = a2xx->loaded[stage].program;
    const struct tess_a2xx_symbol *symbol;
    for (size_t i = 0; (symbol = tess_a2xx_program_symbol(program, i)) != NULL; i++) {
        const float *value = symbol->values;
        if (symbol->kind == TESS_A2XX_CONST)
            tess_a2xx_set_constants(a2xx, stage, symbol->number, value, 1);
        else if (symbol->kind == TESS_A2XX_BOOL)
            tess_a2xx_set_bool(a2xx, symbol->number, value[0] != 0);
        else if (symbol->kind == TESS_A2XX_LOOP)
            tess_a2xx_set_loop(a2xx, symbol->number, (uint32_t)value[0], (uint32_t)value[1],
                               (int32_t)value[2]);
    }
}

static void report(struct tess_a2xx *a2xx)
{
    struct a2xx_loaded *loaded = &a2xx->loaded[a2xx->found];
    loaded->reported.most = a2xx->options.machine.shown;
    if (loaded->program)
        a2xx_fault_report(&a2xx->faults, &loaded->reported, loaded->program, a2xx->found,
                          &a2xx->options.machine);
}

enum tess_status tess_a2xx_load(struct tess_a2xx *a2xx, enum tess_a2xx_stage stage,
                                const struct tess_a2xx_program *program)
{
    size_t slots;
    if (!a2xx_is_idle(a2xx) || !is_stage(stage) || !program)
        return TESS_INVALID;
    if (!tess_a2xx_program_code(program, &slots) || slots < 1 || slots > A2XX_SLOTS_MAX)
        return TESS_INVALID;
    struct a2xx_code *code = a2xx_decode(program, stage);
    if (!code)
        return TESS_NO_MEMORY;
    report(a2xx);
    a2xx_give_up(a2xx);
    unload(a2xx, stage);
    a2xx->loaded[stage].program = program;
    a2xx->loaded[stage].code = code;
    load_constants(a2xx, stage);
    return TESS_OK;
}

/* --- runs --- */

bool a2xx_is_idle(const struct tess_a2xx *a2xx)
{
    return a2xx && !a2xx->busy;
}

void a2xx_give_up(struct tess_a2xx *a2xx)
{
    if (a2xx->stopped.valid)
        a2xx->machine[0]->writes.count = 0;
    a2xx->stopped.valid = false;
}

bool a2xx_batch_is_valid(const struct tess_a2xx *a2xx, const struct tess_a2xx_batch *batch)
{
    return a2xx_is_idle(a2xx) && batch && is_stage(batch->stage) &&
           a2xx->loaded[batch->stage].code && batch->count <= SIZE_MAX - batch->base &&
           (!batch->quads || batch->count % 4 == 0);
}

struct a2xx_machine *a2xx_machine_ready(struct tess_a2xx *a2xx, unsigned number,
                                        const struct tess_a2xx_batch *batch)
{
    struct a2xx_machine **machine = &a2xx->machine[number];
    if (!*machine)
        *machine = a2xx_machine_create();
    if (!*machine)
        return NULL;
    const struct a2xx_code *code = a2xx->loaded[batch->stage].code;
    (*machine)->code = code;
    (*machine)->handlers = a2xx_handlers_native();
    (*machine)->constants = &a2xx->constants;
    (*machine)->window = &a2xx->window[batch->stage];
    (*machine)->fetch = (struct a2xx_fetch_unit){
        .variant = code->variant, .constants = a2xx->constants.fetch, .memory = &a2xx->memory};
    (*machine)->batch = batch;
    (*machine)->limit = a2xx->options.machine.max_instructions;
    (*machine)->checked = machine_sanitizes(&a2xx->options.machine);
    (*machine)->values.flush = a2xx->options.choices.keep_denormals ? 0 : 0x7fffffff;
    (*machine)->values.fused = a2xx->options.choices.fused_muladd;
    return *machine;
}

void a2xx_add_stats(struct tess_a2xx_stats *to, const struct tess_a2xx_stats *from)
{
    to->lanes += from->lanes;
    to->alu += from->alu;
    to->vertex_fetches += from->vertex_fetches;
    to->texture_fetches += from->texture_fetches;
    to->control += from->control;
    to->killed += from->killed;
}

static void note_write(struct tess_a2xx *a2xx, enum a2xx_fault fault,
                       const struct a2xx_memory_write *write, ...)
{
    va_list arguments;
    va_start(arguments, write);
    item_log_note(&a2xx->faults, fault, write->line, write->item, write->cycle, 1,
                  "memory export to address %08x", arguments);
    va_end(arguments);
}

void a2xx_apply_writes(struct tess_a2xx *a2xx, struct a2xx_memory_writes *writes)
{
    for (size_t i = 0; i < writes->count; i++) {
        const struct a2xx_memory_write *write = &writes->list[i];
        enum a2xx_store store = a2xx_memory_store(&a2xx->memory, write->address, write->bytes,
                                                  write->size);
        if (store != A2XX_STORE_OK && machine_sanitizes(&a2xx->options.machine))
            note_write(a2xx,
                       store == A2XX_STORE_UNMAPPED ? A2XX_FAULT_MEMORY_UNMAPPED
                                                    : A2XX_FAULT_MEMORY_READ_ONLY,
                       write, write->address);
    }
    writes->count = 0;
}

enum tess_status a2xx_run_ended(struct tess_a2xx *a2xx, const struct tess_a2xx_batch *batch,
                                bool runaway, bool failed)
{
    if (!batch->more || failed || runaway)
        report(a2xx);
    failed |= a2xx->faults.failed;
    a2xx->faults.failed = false;
    if (failed)
        return TESS_NO_MEMORY;
    return runaway ? TESS_WRONG : TESS_OK;
}

void a2xx_run_begins(struct tess_a2xx *a2xx, const struct tess_a2xx_batch *batch)
{
    a2xx_give_up(a2xx);
    if (a2xx->found != batch->stage)
        report(a2xx);
    a2xx->found = batch->stage;
}

/* A run of all lanes of a batch, for waves.h. */
struct run {
    struct tess_a2xx *a2xx;
    const struct tess_a2xx_batch *batch;
};

/* The result of a chunk. */
struct chunk {
    struct tess_a2xx_stats stats;
    struct item_log faults;
    struct a2xx_memory_writes writes;
};

static bool make_ready(void *user, unsigned worker)
{
    const struct run *run = user;
    return a2xx_machine_ready(run->a2xx, worker, run->batch) != NULL;
}

static void begin_chunk(void *user, unsigned worker)
{
    struct a2xx_machine *machine = ((const struct run *)user)->a2xx->machine[worker];
    machine->stats = (struct tess_a2xx_stats){0};
    machine->runaway = machine->failed = false;
}

static enum waves_end run_vector(void *user, unsigned worker, size_t first, unsigned lanes)
{
    struct a2xx_machine *machine = ((const struct run *)user)->a2xx->machine[worker];
    a2xx_run_lanes(machine, first, lanes);
    return machine->failed ? WAVES_FAILED : machine->runaway ? WAVES_RUNAWAY : WAVES_DONE;
}

static void take_chunk(void *user, unsigned worker, void *result)
{
    struct a2xx_machine *machine = ((const struct run *)user)->a2xx->machine[worker];
    struct chunk *chunk = result;
    chunk->stats = machine->stats;
    chunk->writes = machine->writes;
    machine->writes = (struct a2xx_memory_writes){0};
    item_log_take(&chunk->faults, &machine->faults);
}

static void combine_chunk(void *user, void *result)
{
    struct tess_a2xx *a2xx = ((const struct run *)user)->a2xx;
    struct chunk *chunk = result;
    a2xx_add_stats(&a2xx->stats, &chunk->stats);
    item_log_merge(&a2xx->faults, &chunk->faults);
    a2xx_apply_writes(a2xx, &chunk->writes);
}

static void drop_chunk(void *result)
{
    struct chunk *chunk = result;
    item_log_free(&chunk->faults);
    free(chunk->writes.list);
}

enum tess_status tess_a2xx_run(struct tess_a2xx *a2xx, const struct tess_a2xx_batch *batch)
{
    if (!a2xx_batch_is_valid(a2xx, batch))
        return TESS_INVALID;
    struct run run = {a2xx, batch};
    const struct waves waves = {.user = &run,
                                .threads = a2xx->options.machine.threads,
                                .count = batch->count,
                                .lanes = A2XX_LANES,
                                .result = sizeof(struct chunk),
                                .ready = make_ready,
                                .begin = begin_chunk,
                                .run = run_vector,
                                .take = take_chunk,
                                .combine = combine_chunk,
                                .drop = drop_chunk};
    a2xx->busy = true;
    a2xx_run_begins(a2xx, batch);
    enum waves_end end = waves_run(&waves);
    enum tess_status status = a2xx_run_ended(a2xx, batch, end == WAVES_RUNAWAY,
                                             end == WAVES_FAILED);
    a2xx->busy = false;
    return status;
}

void tess_a2xx_get_stats(const struct tess_a2xx *a2xx, struct tess_a2xx_stats *stats)
{
    *stats = a2xx ? a2xx->stats : (struct tess_a2xx_stats){0};
}
