/* SPDX-License-Identifier: MIT */
/* save.c - saves and restores the state of the vertex processor (base/state.h).
 *
 * In:      a handle between two runs, or with a traced vertex that the caller has stopped.
 * Out:     rows, counters, findings that were reported or are pending, and the stopped vertex. A
 *          stopped vertex is in lane 0 of machine 0, without any other lane or group.
 * Left out: options, program, buffers of batches: the caller gives the same ones to the other
 *          handle, and the identity has a hash of the first two. Decoded code, and the paths that
 *          the sanitizer has checked, are computed again. */
#include <stdlib.h>
#include <string.h>

#include "base/state.h"
#include "mali/gp/gp.h"
#include "program/gp_program.h"

enum { VERSION = 1 };

/* --- the identity --- */

static uint64_t hash_symbol(uint64_t hash, const struct tess_gp_symbol *symbol)
{
    hash = hash_bytes(hash, (const uint8_t *)symbol->name, strlen(symbol->name) + 1);
    hash = state_hash(hash, symbol->kind);
    hash = state_hash(hash, symbol->number);
    return state_hash(hash, symbol->count);
}

static uint64_t hash_program(uint64_t hash, const struct tess_gp_program *program)
{
    size_t instructions = 0;
    const struct tess_gp_symbol *symbol;
    const uint32_t *words = program ? tess_gp_program_code(program, &instructions) : NULL;
    hash = state_hash(hash, instructions);
    for (size_t i = 0; i < instructions * GP_WORDS; i++)
        hash = state_hash(hash, words[i]);
    for (size_t i = 0; program && (symbol = tess_gp_program_symbol(program, i)) != NULL; i++)
        hash = hash_symbol(hash, symbol);
    return hash;
}

static struct state_identity identity_of(const struct tess_gp *gp)
{
    const struct tess_gp_options *options = &gp->options;
    uint64_t hash = HASH_START;
    hash = state_hash(hash, options->choices.keep_denormals);
    hash = state_hash(hash, options->choices.nan_wins);
    hash = state_hash(hash, options->choices.zero_times_inf_is_zero);
    hash = state_hash(hash, options->machine.sanitize);
    hash = state_hash(hash, options->machine.max_instructions);
    hash = state_hash(hash, options->machine.shown);
    hash = state_hash(hash, options->machine.strict);
    return (struct state_identity){.machine = STATE_TAG('G', 'P', ' ', ' '),
                                   .version = VERSION,
                                   .options = hash_program(hash, gp->program)};
}

/* --- values of lane 0 --- */

/* Lists lane 0 of an array. */
static void list_lanes(struct state_stream *stream, gp_lanes *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        state_u32(stream, gp_each(&values[i]));
}

/* Lists bit 0 of each mask of an array. */
static void list_masks(struct state_stream *stream, gp_mask *masks, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool set = masks[i] & 1;
        state_bool(stream, &set);
        if (state_is_reading(stream))
            masks[i] = set;
    }
}

static void list_memory(struct state_stream *stream, struct gp_memory *memory)
{
    list_lanes(stream, memory->attributes[0], TESS_GP_ATTRIBUTES * GP_COMPONENTS);
    list_lanes(stream, memory->registers, GP_REGISTERS * GP_COMPONENTS);
    list_lanes(stream, memory->varyings[0], TESS_GP_VARYINGS * GP_COMPONENTS);
    list_lanes(stream, memory->address, GP_ADDRESSES);
}

/* --- temporaries --- */

static void list_temporary(struct state_stream *stream, struct gp_machine *machine, unsigned i)
{
    uint16_t *row = &machine->stored_rows[i];
    state_below(stream, row, TESS_GP_ROWS);
    if (state_is_reading(stream) && !state_require(stream, !machine->stored[*row]))
        return;
    machine->stored[*row] = true;
    list_lanes(stream, machine->temporaries[*row], GP_COMPONENTS);
}

/* Lists the rows to which the program has stored. Only programs that store temporaries have memory
 * for these rows. */
static void list_temporaries(struct state_stream *stream, struct gp_machine *machine)
{
    bool any = machine->temporaries != NULL;
    state_below(stream, &machine->stored_count, TESS_GP_ROWS + 1);
    if (!state_require(stream, any || !machine->stored_count))
        return;
    for (unsigned i = 0; i < machine->stored_count; i++)
        list_temporary(stream, machine, i);
}

/* --- the group --- */

static void list_landing(struct state_stream *stream, struct gp_landing *landing, bool temporaries)
{
    state_below(stream, &landing->registers, GP_COMPONENTS + 1);
    for (unsigned i = 0; i < landing->registers; i++)
        state_below(stream, &landing->cell[i], GP_REGISTERS * GP_COMPONENTS);
    list_lanes(stream, landing->register_value, landing->registers);
    state_below(stream, &landing->temporaries, temporaries ? GP_COMPONENTS + 1 : 1);
    for (unsigned i = 0; i < landing->temporaries; i++)
        state_below(stream, &landing->component[i], GP_COMPONENTS);
    list_lanes(stream, landing->temporary_value, landing->temporaries);
    list_lanes(stream, &landing->row, landing->temporaries ? 1 : 0);
    state_below(stream, &landing->addresses, 3);
    for (unsigned i = 0; i < landing->addresses; i++)
        state_below(stream, &landing->address[i], GP_ADDRESSES);
    list_lanes(stream, landing->address_value, landing->addresses);
}

/* Lists the pending writes. The next instruction adds its stores to registers to the landing before
 * the current one, which must be free of such stores. */
static void list_landings(struct state_stream *stream, struct gp_group *group, bool temporaries)
{
    for (unsigned i = 0; i < 4; i++)
        list_landing(stream, &group->landing[i], temporaries);
    state_bool(stream, &group->pending);
    for (unsigned i = 0; i < 4; i++) {
        const struct gp_landing *landing = &group->landing[i];
        bool empty = !landing->registers && !landing->temporaries && !landing->addresses;
        state_require(stream, group->pending || empty);
    }
    state_require(stream, !group->landing[(group->cycle + GP_REGISTER_LATENCY) % 4].registers);
}

static void list_place(struct state_stream *stream, struct gp_group *group, uint32_t lines)
{
    state_below(stream, &group->pc, lines + UINT64_C(1));
    state_between(stream, &group->p1, GP_NOWHERE, (int64_t)lines - 1);
    state_between(stream, &group->p2, GP_NOWHERE, (int64_t)lines - 1);
    STATE_FIELDS(stream, &group->jumped1, &group->jumped2);
    state_below(stream, &group->function1, 16);
    state_below(stream, &group->function2, 16);
    state_u64(stream, &group->cycle);
    state_below(stream, &group->slot, GP_SETS);
}

static void list_group(struct state_stream *stream, struct gp_group *group,
                       const struct gp_code *code)
{
    _Static_assert(sizeof(struct gp_set) % sizeof(gp_lanes) == 0, "a set has lanes only");
    list_place(stream, group, code->lines);
    list_landings(stream, group, code->temporaries);
    for (unsigned i = 0; i < GP_SETS; i++)
        list_lanes(stream, (gp_lanes *)&group->set[i], sizeof group->set[i] / sizeof(gp_lanes));
}

/* --- the stopped vertex --- */

static void list_sanitizer(struct state_stream *stream, struct gp_machine *machine, uint32_t lines)
{
    list_masks(stream, machine->attributes_beyond[0], TESS_GP_ATTRIBUTES * GP_COMPONENTS);
    state_bool(stream, &machine->any_beyond);
    list_masks(stream, machine->stored_by, TESS_GP_ROWS);
    list_masks(stream, machine->registers_set, GP_REGISTERS * GP_COMPONENTS);
    list_masks(stream, machine->addresses_set, GP_ADDRESSES);
    state_below(stream, &machine->odd_line[0], lines + UINT64_C(1));
    if (machine->odd_line[0])
        state_u32(stream, &machine->odd_operand[0]);
}

static void list_vertex(struct state_stream *stream, struct gp_machine *machine,
                        const struct gp_code *code)
{
    struct state_section section = state_open(stream, STATE_TAG('V', 'E', 'R', 'T'));
    state_size(stream, &machine->first_vertex);
    list_memory(stream, machine->memory);
    list_temporaries(stream, machine);
    list_masks(stream, machine->varyings_written[0], TESS_GP_VARYINGS * GP_COMPONENTS);
    list_sanitizer(stream, machine, code->lines);
    list_group(stream, machine->groups[0], code);
    state_close(stream, &section);
}

/* Creates a machine for a stopped vertex. Returns NULL if the host is out of memory. */
static struct gp_machine *make_machine(const struct gp_code *code)
{
    struct gp_machine *machine = gp_machine_create();
    if (machine && gp_machine_prepare(machine, code->temporaries))
        return machine;
    gp_machine_free(machine);
    return NULL;
}

static void list_stopped(struct state_stream *stream, struct tess_gp *gp)
{
    state_bool(stream, &gp->stopped);
    if (!gp->stopped || !state_require(stream, gp->code))
        return;
    if (state_is_reading(stream))
        gp->machine[0] = make_machine(gp->code);
    if (gp->machine[0])
        list_vertex(stream, gp->machine[0], gp->code);
    else
        stream->no_memory = stream->bad = true;
}

/* --- handles --- */

static void list_rows(struct state_stream *stream, struct tess_gp *gp)
{
    struct state_section section = state_open(stream, STATE_TAG('R', 'O', 'W', 'S'));
    state_f32s(stream, gp->rows[0], TESS_GP_ROWS * GP_COMPONENTS);
    state_bools(stream, gp->row_set, TESS_GP_ROWS);
    state_close(stream, &section);
}

static void list_results(struct state_stream *stream, struct tess_gp *gp)
{
    struct state_section section = state_open(stream, STATE_TAG('R', 'E', 'S', ' '));
    STATE_FIELDS(stream, &gp->stats.vertices, &gp->stats.instructions, &gp->stats.branches,
                 &gp->stats.taken);
    item_log_state(stream, &gp->faults);
    item_reported_state(stream, &gp->reported, &gp->faults);
    state_close(stream, &section);
}

static void list_handle(struct state_stream *stream, void *object)
{
    list_rows(stream, object);
    list_results(stream, object);
    list_stopped(stream, object);
}

size_t tess_gp_state_size(const struct tess_gp *gp)
{
    return gp_is_idle(gp) ? state_measure(list_handle, gp) : 0;
}

enum tess_status tess_gp_save_state(const struct tess_gp *gp, void *to, size_t size)
{
    if (!gp_is_idle(gp))
        return TESS_INVALID;
    const struct state_identity identity = identity_of(gp);
    return state_save(&identity, list_handle, gp, to, size);
}

/* Moves the state from a scratch handle, and leaves the old state there. */
static void take(struct tess_gp *gp, struct tess_gp *scratch)
{
    memcpy(gp->rows, scratch->rows, sizeof gp->rows);
    memcpy(gp->row_set, scratch->row_set, sizeof gp->row_set);
    gp->stats = scratch->stats;
    gp->stopped = scratch->stopped;
    state_exchange(&gp->faults, &scratch->faults, sizeof gp->faults);
    state_exchange(&gp->reported, &scratch->reported, sizeof gp->reported);
    if (gp->stopped)
        state_exchange(&gp->machine[0], &scratch->machine[0], sizeof gp->machine[0]);
}

enum tess_status tess_gp_restore_state(struct tess_gp *gp, const void *from, size_t size)
{
    if (!gp_is_idle(gp) || !from)
        return TESS_INVALID;
    const struct state_identity identity = identity_of(gp);
    struct tess_gp *scratch = calloc(1, sizeof *scratch);
    if (!scratch)
        return TESS_NO_MEMORY;
    scratch->code = gp->code;
    scratch->faults = (struct item_log){.rules = FAULT_RULES, .lines = FAULT_LINES};
    enum tess_status status = state_restore(&identity, list_handle, scratch, from, size);
    if (status == TESS_OK)
        take(gp, scratch);
    scratch->code = NULL; /* belongs to gp */
    tess_gp_destroy(scratch);
    return status;
}
