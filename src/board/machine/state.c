/* SPDX-License-Identifier: MIT */
/* state.c - saves and restores a whole machine.
 *
 * In:  a machine between runs, or bytes from any source.
 * Out: bytes, or a machine.
 *
 * Modelled: RAM, cores, V3D, firmware, peripherals, time.
 * Choices: RAM is a list of the pages that are not zero. The peripherals' states are copied as they
 *          are in memory, so that only a host with the same layout reads them. */
#include "board/machine/machine.h"

#include <stdlib.h>
#include <string.h>

#include "base/state.h"
#include "board/machine/shadow.h"
#include "board/machine/touched.h"
#include "board/pi/pi.h"

enum { PAGE = TOUCHED_PAGE, VERSION = 5, LARGEST_PART = 1 << 28 };

/* Bytes that another part of the library saves and restores. */
struct part {
    uint8_t *bytes;
    uint32_t size;
};

/* Everything that a state contains, outside of the machine. */
struct image {
    struct tess_pi_machine *machine; /* for its sizes */
    struct part vc4, cores[MACHINE_CORES];
    struct tess_pi *pi; /* the machine's, or a copy that the image owns */
    bool owns_pi;
    struct machine_states states;
    struct machine_v3d v3d;
    bool running[MACHINE_CORES], wfe[MACHINE_CORES], parked[MACHINE_CORES];
    bool spins[MACHINE_CORES], alone;
    struct machine_turn turn;
    uint64_t executed, latest[MACHINE_CORES];
    unsigned current;
    uint64_t cycles, horizon, pc, v3d_writer, dma_writer;
    struct machine_checks checks;
    struct shadow *shadow; /* the machine's, or one that the image owns; NULL if there is none */

    uint32_t *pages; /* indexes of the pages that are not zero */
    uint32_t page_count;
    const uint8_t *from; /* their contents, when reading: page after page */
};

static void free_image(struct image *image)
{
    free(image->vc4.bytes);
    for (unsigned i = 0; i < MACHINE_CORES; i++)
        free(image->cores[i].bytes);
    free(image->pages);
    if (image->owns_pi) {
        free(image->pi);
        shadow_free(image->shadow);
    }
}

/* --- fields --- */

static void part_fields(struct state_stream *stream, struct part *part)
{
    part->size = state_count(stream, part->size, LARGEST_PART, 1);
    if (state_allocate(stream, &part->bytes, part->size, 1))
        state_bytes(stream, part->bytes, part->size);
}

static void time_fields(struct state_stream *stream, struct image *image)
{
    state_u64(stream, &image->cycles);
    state_u64(stream, &image->horizon);
    state_u64(stream, &image->pc);
    state_u64(stream, &image->v3d_writer);
    state_u64(stream, &image->dma_writer);
    state_u64(stream, &image->v3d.time);
    state_u64(stream, &image->v3d.clocks);
    state_bool(stream, &image->v3d.busy);
}

static void core_fields(struct state_stream *stream, struct image *image)
{
    unsigned count = image->machine->core_count;
    state_bools(stream, image->running, count);
    state_bools(stream, image->wfe, count);
    state_bools(stream, image->parked, count);
    state_below(stream, &image->current, count);
    for (unsigned i = 0; i < count; i++)
        part_fields(stream, &image->cores[i]);
}

static void turn_fields(struct state_stream *stream, struct image *image)
{
    struct machine_turn *turn = &image->turn;
    unsigned count = image->machine->core_count;
    state_bools(stream, image->spins, count);
    state_bool(stream, &image->alone);
    state_bool(stream, &turn->on);
    state_bool(stream, &turn->inside);
    state_below(stream, &turn->core, count + 1);
    state_u64(stream, &turn->start);
    state_u64(stream, &turn->end);
    state_u64(stream, &turn->limit);
    state_u64(stream, &turn->next);
    state_u64(stream, &image->executed);
    for (unsigned i = 0; i < count; i++)
        state_u64(stream, &image->latest[i]);
    state_require(stream, turn->on || !turn->inside);
    state_require(stream, !turn->inside || turn->core < count);
    state_require(stream, !turn->on || image->alone || machine_turn_is_valid(turn));
}

/* The pages of RAM. When reading, the contents stay where they are. */
static void page_fields(struct state_stream *stream, struct image *image)
{
    uint32_t limit = image->machine->ram_size / PAGE;
    image->page_count = state_count(stream, image->page_count, limit, 4 + PAGE);
    if (!state_allocate(stream, &image->pages, image->page_count, sizeof *image->pages))
        return;
    state_u32s(stream, image->pages, image->page_count);
    for (uint32_t i = 0; state_is_reading(stream) && i < image->page_count; i++)
        state_require(stream,
                      image->pages[i] < limit && (i == 0 || image->pages[i] > image->pages[i - 1]));
    if (state_is_reading(stream)) {
        size_t size = (size_t)image->page_count * PAGE;
        image->from = stream->from + stream->at;
        if (state_require(stream, size <= stream->size - stream->at))
            stream->at += size;
        return;
    }
    for (uint32_t i = 0; i < image->page_count; i++)
        state_bytes(stream, image->machine->ram + (size_t)image->pages[i] * PAGE, PAGE);
}

static void check_fields(struct state_stream *stream, struct image *image)
{
    struct machine_checks *checks = &image->checks;
    state_below(stream, &checks->count, sizeof checks->seen / sizeof checks->seen[0] + 1);
    for (uint32_t i = 0; i < checks->count; i++) {
        state_below(stream, &checks->seen[i].kind, PI_FINDINGS);
        state_u64(stream, &checks->seen[i].pc);
    }
    if (image->shadow)
        shadow_fields(stream, image->shadow);
}

static void fields(struct state_stream *stream, void *object)
{
    struct image *image = object;
    struct state_section section = state_open(stream, STATE_TAG('T', 'I', 'M', 'E'));
    time_fields(stream, image);
    state_close(stream, &section);
    section = state_open(stream, STATE_TAG('C', 'O', 'R', 'E'));
    core_fields(stream, image);
    turn_fields(stream, image);
    state_close(stream, &section);
    section = state_open(stream, STATE_TAG('D', 'E', 'V', 'S'));
    state_bytes(stream, &image->states, sizeof image->states);
    state_require(stream, machine_states_are_valid(&image->states, &image->machine->states));
    state_close(stream, &section);
    pi_state(stream, image->pi);
    section = state_open(stream, STATE_TAG('V', '3', 'D', ' '));
    part_fields(stream, &image->vc4);
    state_close(stream, &section);
    section = state_open(stream, STATE_TAG('C', 'H', 'E', 'K'));
    check_fields(stream, image);
    state_close(stream, &section);
    section = state_open(stream, STATE_TAG('R', 'A', 'M', ' '));
    page_fields(stream, image);
    state_close(stream, &section);
}

/* --- the image of a machine --- */

static uint64_t hash_text(uint64_t hash, const char *text)
{
    return hash_bytes(hash, (const uint8_t *)text, strlen(text) + 1);
}

static struct state_identity identity_of(const struct tess_pi_machine *machine)
{
    const struct tess_pi_machine_options *options = &machine->options;
    uint64_t hash = hash_text(hash_text(HASH_START, options->board->name), options->engine->name);
    hash = state_hash(hash, machine->arm_size);
    hash = state_hash(hash, machine->ram_size);
    hash = state_hash(hash, options->arm_rate);
    hash = state_hash(hash, options->wide);
    hash = state_hash(hash, machine->shadow != NULL);
    hash = state_hash(hash, sizeof machine->states);
    for (unsigned i = 0; i < machine->core_count; i++)
        hash = state_hash(hash, options->engine->state_size(machine->cores[i]));
    return (struct state_identity){STATE_TAG('P', 'I', 'M', 'A'), VERSION, hash};
}

static bool make_part(struct part *part, size_t size)
{
    part->size = (uint32_t)size;
    part->bytes = size && size <= LARGEST_PART ? calloc(1, size) : NULL;
    return part->bytes;
}

static bool save_cores(const struct tess_pi_machine *machine, struct part *cores)
{
    const struct tess_arm_engine *engine = machine->options.engine;
    for (unsigned i = 0; i < machine->core_count; i++) {
        if (!make_part(&cores[i], engine->state_size(machine->cores[i])))
            return false;
        engine->save(machine->cores[i], cores[i].bytes);
    }
    return true;
}

static enum tess_status save_vc4(const struct tess_pi_machine *machine, struct part *part)
{
    size_t size = tess_vc4_state_size(machine->vc4);
    if (!size)
        return TESS_INVALID;
    return make_part(part, size) ? tess_vc4_save_state(machine->vc4, part->bytes, size)
                                 : TESS_NO_MEMORY;
}

static bool is_zero(const uint8_t *page)
{
    uint64_t words[8], all = 0;
    for (unsigned at = 0; !all && at < PAGE; at += sizeof words) {
        memcpy(words, page + at, sizeof words);
        for (unsigned i = 0; i < 8; i++)
            all |= words[i];
    }
    return !all;
}

static bool list_pages(const struct tess_pi_machine *machine, struct image *image)
{
    uint32_t limit = machine->ram_size / PAGE, count = 0;
    bool *touched = touched_pages(machine->ram, limit);
    image->pages = malloc(limit * sizeof *image->pages);
    for (uint32_t i = 0; touched && image->pages && i < limit; i++)
        if (touched[i] && !is_zero(machine->ram + (size_t)i * PAGE))
            image->pages[count++] = i;
    image->page_count = count;
    free(touched);
    return touched && image->pages;
}

/* Fills an image with everything but the pages of RAM. */
static enum tess_status take_parts(const struct tess_pi_machine *machine, struct image *image)
{
    *image = (struct image){
        .machine = (struct tess_pi_machine *)machine,
        .pi = machine->pi,
        .states = machine->states,
        .v3d = machine->v3d,
        .alone = machine->alone,
        .turn = machine->turn,
        .executed = machine->executed,
        .current = machine->current,
        .cycles = machine->cycles,
        .horizon = machine->horizon,
        .pc = machine->pc,
        .v3d_writer = machine->v3d_writer,
        .dma_writer = machine->dma_writer,
        .checks = machine->checks,
        .shadow = machine->shadow,
    };
    memcpy(image->running, machine->running, sizeof image->running);
    memcpy(image->wfe, machine->wfe, sizeof image->wfe);
    memcpy(image->parked, machine->parked, sizeof image->parked);
    memcpy(image->spins, machine->spins, sizeof image->spins);
    memcpy(image->latest, machine->latest, sizeof image->latest);
    enum tess_status status = save_vc4(machine, &image->vc4);
    if (status == TESS_OK && !save_cores(machine, image->cores))
        status = TESS_NO_MEMORY;
    return status;
}

static enum tess_status write_image(const struct image *image, uint8_t **bytes, size_t *size)
{
    const struct state_identity identity = identity_of(image->machine);
    *size = state_measure(fields, image);
    *bytes = malloc(*size);
    return *bytes ? state_save(&identity, fields, image, *bytes, *size) : TESS_NO_MEMORY;
}

enum tess_status tess_pi_machine_save(const struct tess_pi_machine *machine, uint8_t **bytes,
                                      size_t *size)
{
    struct image image;
    *bytes = NULL;
    *size = 0;
    if (machine->inside)
        return TESS_INVALID;
    enum tess_status status = take_parts(machine, &image);
    if (status == TESS_OK && !list_pages(machine, &image))
        status = TESS_NO_MEMORY;
    if (status == TESS_OK)
        status = write_image(&image, bytes, size);
    free_image(&image);
    return status;
}

/* --- restoring --- */

static bool restore_cores(struct tess_pi_machine *machine, const struct part *cores)
{
    bool good = true;
    for (unsigned i = 0; good && i < machine->core_count; i++)
        good = machine->options.engine->restore(machine->cores[i], cores[i].bytes, cores[i].size);
    return good;
}

/* Restores the parts that can refuse their bytes: the V3D with its map of memory, and the cores. */
static enum tess_status restore_parts(struct tess_pi_machine *machine, const struct image *image,
                                      const struct pi_block *from)
{
    enum tess_status status = pi_remap(machine->pi, from, image->pi->blocks);
    if (status == TESS_OK)
        status = tess_vc4_restore_state(machine->vc4, image->vc4.bytes, image->vc4.size);
    if (status == TESS_OK && !restore_cores(machine, image->cores))
        status = TESS_BAD_INPUT;
    return status;
}

static void restore_memory(struct tess_pi_machine *machine, const struct image *image,
                           const bool *touched)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < machine->ram_size / PAGE; i++) {
        uint8_t *page = machine->ram + (size_t)i * PAGE;
        if (next < image->page_count && image->pages[next] == i)
            memcpy(page, image->from + (size_t)next++ * PAGE, PAGE);
        else if (touched[i] && !is_zero(page))
            memset(page, 0, PAGE);
    }
}

/* Restores what cannot fail. */
static void restore_rest(struct tess_pi_machine *machine, const struct image *image,
                         const bool *touched)
{
    *machine->pi = *image->pi;
    machine->states = image->states;
    machine->v3d = image->v3d;
    machine->alone = image->alone;
    machine->turn = image->turn;
    machine->executed = image->executed;
    machine->current = image->current;
    machine->cycles = image->cycles;
    machine->horizon = image->horizon;
    machine->pc = image->pc;
    machine->v3d_writer = image->v3d_writer;
    machine->dma_writer = image->dma_writer;
    machine->checks = image->checks;
    memcpy(machine->running, image->running, sizeof machine->running);
    memcpy(machine->wfe, image->wfe, sizeof machine->wfe);
    memcpy(machine->parked, image->parked, sizeof machine->parked);
    memcpy(machine->spins, image->spins, sizeof machine->spins);
    memcpy(machine->latest, image->latest, sizeof machine->latest);
    machine->idle_turns = 0;
    restore_memory(machine, image, touched);
    machine_update_lines(machine);
}

/* Replaces the machine's state by an image. On failure, restores the state before. */
static enum tess_status replace(struct tess_pi_machine *machine, struct image *image)
{
    struct image before;
    bool *touched = touched_pages(machine->ram, machine->ram_size / PAGE);
    enum tess_status status = take_parts(machine, &before);
    if (!touched)
        status = TESS_NO_MEMORY;
    bool taken = status == TESS_OK;
    if (taken)
        status = restore_parts(machine, image, machine->pi->blocks);
    if (status == TESS_OK) {
        restore_rest(machine, image, touched);
        state_exchange(&machine->shadow, &image->shadow, sizeof machine->shadow);
    } else if (taken) {
        restore_parts(machine, &before, image->pi->blocks);
    }
    free_image(&before);
    free(touched);
    return status;
}

enum tess_status tess_pi_machine_restore(struct tess_pi_machine *machine, const void *from,
                                         size_t size)
{
    const struct state_identity identity = identity_of(machine);
    struct image image = {.machine = machine, .owns_pi = true};
    image.pi = calloc(1, sizeof *image.pi);
    if (machine->shadow)
        image.shadow = shadow_create(machine->ram_size, machine->arm_size);
    if (machine->inside || !image.pi || (machine->shadow && !image.shadow)) {
        free_image(&image);
        return machine->inside ? TESS_INVALID : TESS_NO_MEMORY;
    }
    image.pi->vc4 = machine->vc4;
    image.pi->options = machine->pi->options;
    enum tess_status status = state_restore(&identity, fields, &image, from, size);
    if (status == TESS_OK)
        status = replace(machine, &image);
    free_image(&image);
    return status;
}
