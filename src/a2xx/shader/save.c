/* SPDX-License-Identifier: MIT */
/* save.c - saves and restores the state of the shader core (base/state.h).
 *
 * In:      a handle between two runs, or with a traced batch that the caller has stopped.
 * Out:     constants, counters, findings that were reported or are pending, and the lanes of the
 *          stopped batch, which are in machine 0.
 * Left out: options, programs, mapped memory, arrays of batches: the caller gives the same ones to
 *          the other handle, and the identity has a hash of the first three. Decoded code is
 *          computed again, and so are operands, which no later instruction reads. */
#include <stdlib.h>
#include <string.h>

#include "a2xx/shader/core.h"
#include "base/array.h"
#include "base/state.h"
#include "program/a2xx_program.h"

enum { VERSION = 1 };

/* --- the identity --- */

static uint64_t hash_symbol(uint64_t hash, const struct tess_a2xx_symbol *symbol)
{
    hash = hash_bytes(hash, (const uint8_t *)symbol->name, strlen(symbol->name) + 1);
    hash = state_hash(hash, symbol->kind);
    return state_hash(hash, symbol->number);
}

static uint64_t hash_program(uint64_t hash, const struct tess_a2xx_program *program)
{
    size_t slots = 0;
    const struct tess_a2xx_symbol *symbol;
    const uint32_t *words = program ? tess_a2xx_program_code(program, &slots) : NULL;
    hash = state_hash(hash, slots);
    hash = state_hash(hash, program ? program->variant : 0);
    for (size_t i = 0; i < slots * A2XX_WORDS; i++)
        hash = state_hash(hash, words[i]);
    for (size_t i = 0; program && (symbol = tess_a2xx_program_symbol(program, i)) != NULL; i++)
        hash = hash_symbol(hash, symbol);
    return hash;
}

static uint64_t hash_memory(uint64_t hash, const struct a2xx_memory *memory)
{
    hash = state_hash(hash, memory->count);
    for (size_t i = 0; i < memory->count; i++) {
        hash = state_hash(hash, memory->ranges[i].address);
        hash = state_hash(hash, memory->ranges[i].size);
        hash = state_hash(hash, memory->ranges[i].writable);
    }
    return hash;
}

static struct state_identity identity_of(const struct tess_a2xx *a2xx)
{
    const struct tess_a2xx_options *options = &a2xx->options;
    uint64_t hash = HASH_START;
    hash = state_hash(hash, options->choices.fused_muladd);
    hash = state_hash(hash, options->choices.keep_denormals);
    hash = state_hash(hash, options->machine.sanitize);
    hash = state_hash(hash, options->machine.max_instructions);
    hash = state_hash(hash, options->machine.shown);
    hash = state_hash(hash, options->machine.strict);
    for (unsigned i = 0; i < A2XX_STAGES; i++)
        hash = hash_program(hash, a2xx->loaded[i].program);
    return (struct state_identity){.machine = STATE_TAG('A', '2', 'X', 'X'),
                                   .version = VERSION,
                                   .options = hash_memory(hash, &a2xx->memory)};
}

/* --- lanes --- */

/* Limits of the lanes in a state. */
struct limits {
    const struct a2xx_code *code;
    unsigned lanes; /* number of lanes, 1 to 64 */
    a2xx_mask all;  /* these lanes */
};

/* Lists a mask with lanes of the batch only. */
static void list_mask(struct state_stream *stream, const struct limits *limits, a2xx_mask *mask)
{
    state_u64(stream, mask);
    if (!state_require(stream, !(*mask & ~limits->all)) && state_is_reading(stream))
        *mask = 0;
}

static void list_rows(struct state_stream *stream, const struct limits *limits,
                      struct a2xx_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        state_u32s(stream, rows[i].lane, limits->lanes);
}

/* Lists numbers that are at most `most`. */
static void list_bytes(struct state_stream *stream, const struct limits *limits, uint8_t *bytes,
                       uint8_t most)
{
    state_bytes(stream, bytes, limits->lanes);
    for (unsigned i = 0; i < limits->lanes; i++)
        if (!state_require(stream, bytes[i] <= most) && state_is_reading(stream))
            bytes[i] = 0;
}

static void list_words(struct state_stream *stream, const struct limits *limits, uint16_t *words,
                       uint32_t most)
{
    state_u16s(stream, words, limits->lanes);
    for (unsigned i = 0; i < limits->lanes; i++)
        if (!state_require(stream, words[i] <= most) && state_is_reading(stream))
            words[i] = 0;
}

static void list_registers(struct state_stream *stream, const struct limits *limits,
                           struct a2xx_machine *machine)
{
    list_rows(stream, limits, machine->registers[0], A2XX_REGISTERS * 4);
    list_rows(stream, limits, &machine->previous, 1);
    list_rows(stream, limits, &machine->index, 1);
    list_words(stream, limits, machine->full, limits->code->slots);
    list_mask(stream, limits, &machine->predicate);
    list_mask(stream, limits, &machine->killed);
    list_mask(stream, limits, &machine->helpers);
    list_words(stream, limits, (uint16_t *)machine->a0, UINT16_MAX);
    list_words(stream, limits, (uint16_t *)machine->al, UINT16_MAX);
    state_f32s(stream, machine->texture.lod, limits->lanes);
    for (unsigned i = 0; i < 3; i++) {
        state_f32s(stream, machine->texture.right[i], limits->lanes);
        state_f32s(stream, machine->texture.down[i], limits->lanes);
    }
}

/* --- control flow --- */

static void list_stacks(struct state_stream *stream, const struct limits *limits,
                        struct a2xx_machine *machine)
{
    list_bytes(stream, limits, machine->loops, A2XX_STACK);
    list_bytes(stream, limits, machine->calls, A2XX_STACK);
    for (unsigned i = 0; i < A2XX_STACK; i++) {
        list_bytes(stream, limits, machine->loop_id[i], TESS_A2XX_LOOPS - 1);
        list_words(stream, limits, machine->iteration[i], UINT16_MAX);
        list_words(stream, limits, machine->back[i], UINT16_MAX);
    }
}

/* Lists the clause in which the lanes have stopped. */
static void list_clause(struct state_stream *stream, const struct limits *limits,
                        struct a2xx_machine *machine)
{
    state_bool(stream, &machine->clause.open);
    if (!machine->clause.open)
        return;
    state_below(stream, &machine->here, 2 * limits->code->slots);
    const struct a2xx_cf *cf = &limits->code->cf[machine->here];
    if (!state_require(stream, cf->form == A2XX_FORM_EXEC && cf->exec.count > 0))
        return;
    state_below(stream, &machine->clause.number, cf->exec.count);
    list_mask(stream, limits, &machine->clause.lanes);
    list_mask(stream, limits, &machine->group);
    state_require(stream, machine->clause.lanes && machine->group && machine->alive &&
                              !(machine->clause.lanes & ~machine->group) &&
                              !(machine->group & ~machine->alive));
}

static void list_flow(struct state_stream *stream, const struct limits *limits,
                      struct a2xx_machine *machine)
{
    list_words(stream, limits, machine->at, UINT16_MAX);
    list_stacks(stream, limits, machine);
    list_mask(stream, limits, &machine->alive);
    state_require(stream, machine->alive != 0);
    state_bool(stream, &machine->together);
    state_below(stream, &machine->common, UINT16_MAX + UINT64_C(1));
    state_u64s(stream, machine->executed, limits->lanes);
    STATE_FIELDS(stream, &machine->most, &machine->step);
    state_below(stream, &machine->line, 2 * limits->code->slots);
    list_clause(stream, limits, machine);
}

/* --- exports --- */

static void list_write(struct state_stream *stream, struct a2xx_memory_write *write)
{
    state_u32(stream, &write->address);
    state_below(stream, &write->line, A2XX_FAULT_LINES);
    state_below(stream, &write->lane, A2XX_LANES);
    state_below(stream, &write->size, sizeof write->bytes + 1);
    state_bytes(stream, write->bytes, sizeof write->bytes);
    STATE_FIELDS(stream, &write->item, &write->cycle);
}

/* Lists memory exports that have not been performed. */
static void list_writes(struct state_stream *stream, struct a2xx_memory_writes *writes)
{
    enum { WRITE = 40 }; /* bytes of an element */
    uint32_t count = state_count(stream, (uint32_t)writes->count, UINT32_MAX, WRITE);
    if (!state_allocate(stream, &writes->list, array_room(count), sizeof *writes->list))
        return;
    if (state_is_reading(stream))
        writes->count = count;
    for (uint32_t i = 0; i < count; i++)
        list_write(stream, &writes->list[i]);
}

static void list_exports(struct state_stream *stream, const struct limits *limits,
                         struct a2xx_machine *machine)
{
    state_u64(stream, &machine->export_numbers);
    for (unsigned i = 0; i < TESS_A2XX_EXPORTS; i++) {
        bool any = machine->export_numbers >> i & 1;
        for (unsigned c = 0; c < 4 && any; c++)
            list_mask(stream, limits, &machine->exported[i][c]);
        list_rows(stream, limits, machine->exports[i], any ? 4 : 0);
    }
    for (unsigned i = 0; i < sizeof machine->sent / sizeof machine->sent[0]; i++)
        for (unsigned c = 0; c < 4; c++)
            list_mask(stream, limits, &machine->sent[i][c]);
    list_words(stream, limits, machine->memory_line, A2XX_FAULT_LINES - 1);
    state_size(stream, &machine->earlier_writes);
    state_require(stream, machine->earlier_writes <= machine->writes.count);
}

/* --- the sanitizer --- */

static void list_shadow(struct state_stream *stream, const struct limits *limits,
                        struct a2xx_shadow *shadow)
{
    state_u64s(stream, shadow->written[0], A2XX_REGISTERS * 4);
    state_u64s(stream, shadow->pending[0], A2XX_REGISTERS * 4);
    state_u64s(stream, shadow->by_texture[0], A2XX_REGISTERS * 4);
    STATE_FIELDS(stream, &shadow->any_pending, &shadow->bad_fetch, &shadow->predicate,
                 &shadow->address, &shadow->previous);
    state_u64s(stream, shadow->space, 4);
    for (unsigned i = 0; i < 4; i++) {
        list_bytes(stream, limits, shadow->reserved[i], UINT8_MAX);
        list_bytes(stream, limits, shadow->used[i], UINT8_MAX);
    }
    state_u64s(stream, shadow->exported, TESS_A2XX_EXPORTS);
    list_words(stream, limits, shadow->odd_line, limits->code->slots);
    state_u32s(stream, shadow->odd_operand, limits->lanes);
}

/* --- the stopped batch --- */

static void list_lanes(struct state_stream *stream, const struct tess_a2xx *a2xx,
                       struct a2xx_machine *machine)
{
    size_t left = a2xx->stopped.count - a2xx->stopped.done;
    struct limits limits = {.code = a2xx->loaded[a2xx->stopped.stage].code,
                            .lanes = left < A2XX_LANES ? (unsigned)left : A2XX_LANES};
    struct state_section section = state_open(stream, STATE_TAG('L', 'A', 'N', 'E'));
    limits.all = A2XX_ALL_LANES >> (A2XX_LANES - limits.lanes);
    machine->first = a2xx->stopped.done;
    list_registers(stream, &limits, machine);
    list_flow(stream, &limits, machine);
    list_exports(stream, &limits, machine);
    list_shadow(stream, &limits, &machine->shadow);
    state_close(stream, &section);
}

static void list_place(struct state_stream *stream, struct a2xx_stopped *stopped)
{
    state_enum(stream, &stopped->stage, A2XX_STAGES);
    state_size(stream, &stopped->count);
    state_size(stream, &stopped->done);
    STATE_FIELDS(stream, &stopped->inside, &stopped->runaway);
    state_require(stream, stopped->inside || !stopped->runaway);
    state_require(stream, stopped->done < stopped->count && stopped->done % A2XX_LANES == 0);
}

static void list_stopped(struct state_stream *stream, struct tess_a2xx *a2xx)
{
    state_bool(stream, &a2xx->stopped.valid);
    if (!a2xx->stopped.valid)
        return;
    list_place(stream, &a2xx->stopped);
    if (!state_require(stream, a2xx->loaded[a2xx->stopped.stage].code))
        return;
    if (state_is_reading(stream))
        a2xx->machine[0] = a2xx_machine_create();
    if (!a2xx->machine[0]) {
        stream->no_memory = stream->bad = true;
        return;
    }
    list_writes(stream, &a2xx->machine[0]->writes);
    if (a2xx->stopped.inside)
        list_lanes(stream, a2xx, a2xx->machine[0]);
}

/* --- handles --- */

static void list_loop(struct state_stream *stream, struct a2xx_loop_constant *loop)
{
    STATE_FIELDS(stream, &loop->count, &loop->start, &loop->step, &loop->set);
}

static void list_constants(struct state_stream *stream, struct tess_a2xx *a2xx)
{
    struct a2xx_constants *constants = &a2xx->constants;
    struct state_section section = state_open(stream, STATE_TAG('C', 'O', 'N', 'S'));
    state_f32s(stream, constants->value[0], TESS_A2XX_CONSTANTS * 4);
    state_bools(stream, constants->value_set, TESS_A2XX_CONSTANTS);
    state_bools(stream, constants->boolean, TESS_A2XX_BOOLS);
    state_bools(stream, constants->boolean_set, TESS_A2XX_BOOLS);
    for (unsigned i = 0; i < TESS_A2XX_LOOPS; i++)
        list_loop(stream, &constants->loop[i]);
    state_u32s(stream, constants->fetch, TESS_A2XX_FETCH_WORDS);
    for (unsigned i = 0; i < A2XX_STAGES; i++) {
        state_below(stream, &a2xx->window[i].base, TESS_A2XX_CONSTANTS);
        state_in(stream, &a2xx->window[i].size, 0, TESS_A2XX_CONSTANTS - a2xx->window[i].base);
    }
    state_close(stream, &section);
}

static void list_results(struct state_stream *stream, struct tess_a2xx *a2xx)
{
    struct state_section section = state_open(stream, STATE_TAG('R', 'E', 'S', ' '));
    STATE_FIELDS(stream, &a2xx->stats.lanes, &a2xx->stats.alu, &a2xx->stats.vertex_fetches,
                 &a2xx->stats.texture_fetches, &a2xx->stats.control, &a2xx->stats.killed);
    state_enum(stream, &a2xx->found, A2XX_STAGES);
    item_log_state(stream, &a2xx->faults);
    for (unsigned i = 0; i < A2XX_STAGES; i++)
        item_reported_state(stream, &a2xx->loaded[i].reported, &a2xx->faults);
    state_close(stream, &section);
}

static void list_handle(struct state_stream *stream, void *object)
{
    list_constants(stream, object);
    list_results(stream, object);
    list_stopped(stream, object);
}

size_t tess_a2xx_state_size(const struct tess_a2xx *a2xx)
{
    return a2xx_is_idle(a2xx) ? state_measure(list_handle, a2xx) : 0;
}

enum tess_status tess_a2xx_save_state(const struct tess_a2xx *a2xx, void *to, size_t size)
{
    if (!a2xx_is_idle(a2xx))
        return TESS_INVALID;
    const struct state_identity identity = identity_of(a2xx);
    return state_save(&identity, list_handle, a2xx, to, size);
}

/* Moves the state from a scratch handle, and leaves the old state there. */
static void take(struct tess_a2xx *a2xx, struct tess_a2xx *scratch)
{
    a2xx_give_up(a2xx);
    a2xx->constants = scratch->constants;
    memcpy(a2xx->window, scratch->window, sizeof a2xx->window);
    a2xx->stats = scratch->stats;
    a2xx->found = scratch->found;
    a2xx->stopped = scratch->stopped;
    state_exchange(&a2xx->faults, &scratch->faults, sizeof a2xx->faults);
    for (unsigned i = 0; i < A2XX_STAGES; i++)
        state_exchange(&a2xx->loaded[i].reported, &scratch->loaded[i].reported,
                       sizeof a2xx->loaded[i].reported);
    if (!a2xx->stopped.valid)
        return;
    state_exchange(&a2xx->machine[0], &scratch->machine[0], sizeof a2xx->machine[0]);
    a2xx->machine[0]->unflushed = UINT64_MAX;
}

enum tess_status tess_a2xx_restore_state(struct tess_a2xx *a2xx, const void *from, size_t size)
{
    if (!a2xx_is_idle(a2xx) || !from)
        return TESS_INVALID;
    const struct state_identity identity = identity_of(a2xx);
    struct tess_a2xx *scratch = calloc(1, sizeof *scratch);
    if (!scratch)
        return TESS_NO_MEMORY;
    for (unsigned i = 0; i < A2XX_STAGES; i++)
        scratch->loaded[i].code = a2xx->loaded[i].code;
    scratch->faults = (struct item_log){.rules = A2XX_FAULTS, .lines = A2XX_FAULT_LINES};
    enum tess_status status = state_restore(&identity, list_handle, scratch, from, size);
    if (status == TESS_OK)
        take(a2xx, scratch);
    for (unsigned i = 0; i < A2XX_STAGES; i++)
        scratch->loaded[i].code = NULL; /* belongs to a2xx */
    tess_a2xx_destroy(scratch);
    return status;
}
