/* SPDX-License-Identifier: MIT */
/* tmu.c - see tmu.h: the request protocol and the two FIFOs. accesses.c models the caches, and
 * sampler.c samples textures.
 *
 * Source:   manual section 4, "QPU Interface" and "Texture and Memory Lookup Unit Setup"; vc4asm's
 *           addendum to the manual for TMU_NOSWAP, lookups in flight and the cache.
 * Modelled: requests with their parameters in the order of the writes, memory lookups, the limits
 *           of both FIFOs, the swap of the units, the lines in the caches.
 * Left out: time, because a request is complete when S is written; differences between memory and
 *           caches.
 * Choices:  the hardware stalls or mixes up results when a FIFO overflows. The model drops the
 *           request. */
#include "vc4/tmu/tmu.h"

#include <stdio.h>
#include <string.h>

#define PART_BYTES 16
#include "base/bits.h"
#include "base/f32_parts.h"
#include "vc4/tmu/accesses.h"
#include "vc4/tmu/filter.h"
#include "vc4/watch/list_memory.h"
#include "vc4/watch/race.h"

enum { QUADS = LANES / 4 };

void tmu_reset(struct tmu *tmu)
{
    memset(tmu->unit, 0, sizeof tmu->unit);
}

void tmu_start(struct tmu *tmu, const struct tmu_ports *ports, uint32_t qpu)
{
    tmu->qpu = qpu;
    tmu->l2_disabled = ports->slices && ports->slices->l2_disabled;
    tmu->swapped = qpu >> 1 & 1;
    for (unsigned i = 0; i < TMU_UNITS; i++)
        tmu->unit[i].overflowed = false;
}

/* Returns the unit that serves the program's unit number. */
static unsigned serving(const struct tmu *tmu, unsigned unit)
{
    return unit ^ tmu->swapped;
}

/* Returns the number by which the program accesses a unit. */
static unsigned name_of(const struct tmu *tmu, const struct tmu_unit *unit)
{
    return (unsigned)(unit - tmu->unit) ^ tmu->swapped;
}

bool tmu_needs_parameter(const struct tmu *tmu, unsigned unit, enum tmu_register reg)
{
    return reg != TMU_S || tmu->unit[serving(tmu, unit)].written != 0;
}

/* Stores the uniform that a write consumes. Returns false if there are too many of them. */
static inline bool take_parameter(const struct tmu *tmu, struct tmu_unit *unit, uint32_t parameter)
{
    uint32_t number = unit->parameters++;
    if (number >= TEXTURE_PARAMETERS)
        return false;
    unit->parameter[number] = parameter;
    unit->parameter_at[number] = tmu->parameter_at;
    return true;
}

static void report_parameter(const struct tmu_ports *ports, const struct tmu_unit *unit)
{
    if (unit->parameters == TEXTURE_PARAMETERS + 1)
        fault(ports->log, FAULT_TMU_PARAMETER,
              "a texture request has more than %d writes before its write to S",
              TEXTURE_PARAMETERS - 1);
}

/* ---- caches ---------------------------------------------------------------------------------- */

/* Returns the cache of the unit that serves the latest request, or NULL. */
static struct cache *cache_of(const struct tmu *tmu, const struct tmu_ports *ports)
{
    return ports->slices ? &shared_units_of(ports->slices, tmu->qpu)->tmu[tmu->last.unit] : NULL;
}

/* Returns the level 2 cache, or NULL if it is disabled or caches are not modelled. */
static struct cache *l2_of(const struct tmu *tmu, const struct tmu_ports *ports)
{
    return ports->slices && !tmu->l2_disabled ? shared_units_l2(ports->slices, tmu->qpu) : NULL;
}

static struct accesses accesses_of(struct tmu *tmu, const struct tmu_ports *ports)
{
    return (struct accesses){.cache = cache_of(tmu, ports),
                             .l2 = l2_of(tmu, ports),
                             .cost = &tmu->last,
                             .line = tmu->line};
}

static void start_cost(struct tmu *tmu, const struct tmu_unit *unit)
{
    tmu->last = (struct tmu_cost){.unit = unit == &tmu->unit[1]};
    tmu->lookups++;
}

static void count_events(struct tmu *tmu, const struct tmu_ports *ports)
{
    if (!ports->counts)
        return;
    uint64_t *of = ports->counts->of;
    of[PCTR_TMU_QUADS] += QUADS;
    of[PCTR_TMU_MISSES] += tmu->last.misses;
    ports->counts->texels += tmu->last.texels;
    if (!l2_of(tmu, ports))
        return;
    of[PCTR_L2C_MISSES] += tmu->last.l2_misses;
    of[PCTR_L2C_HITS] += tmu->last.misses - tmu->last.l2_misses;
}

/* ---- findings -------------------------------------------------------------------------------- */

/* Writes to text how far an unmapped address is from the nearest mapped memory. Addresses in the
 * text have the alias bits of the unmapped address. */
static void report_distance(const struct bus *bus, uint32_t address, char *text, size_t size)
{
    uint32_t at = address & BUS_ADDRESS_MASK, alias = address - at, nearest = UINT32_MAX;
    snprintf(text, size, "no memory is mapped");
    for (size_t i = 0; i < bus->count; i++) {
        uint32_t base = bus->regions[i].base, end = base + bus->regions[i].size;
        bool below = at < base;
        uint32_t distance = below ? base - at : at - end;
        if (distance >= nearest)
            continue;
        nearest = distance;
        snprintf(text, size, "%u byte%s %s the memory at 0x%08x to 0x%08x", distance,
                 distance == 1 ? "" : "s", below ? "before" : "after", base + alias,
                 end - 1 + alias);
    }
}

static void report_lookup(struct tmu *tmu, const struct tmu_ports *ports,
                          const struct tmu_unit *unit, const lanes *address, lane_mask outside)
{
    char distance[96], origin[ORIGIN_SIZE];
    unsigned lane = (unsigned)__builtin_ctz(outside);
    report_distance(ports->bus, (*address)[lane], distance, sizeof distance);
    fault_at(ports->log, FAULT_BUS_UNMAPPED, (*address)[lane],
             "texture unit TMU%u: lookup outside mapped memory by elements 0x%04x: element %u "
             "at 0x%08x, %s%s" WITH_HINT
             "write addresses of mapped memory to TMU%u_S in all elements: check that the program "
             "reads the uniform with the address here (uniforms are read in order), and that no "
             "element is past the end of the data",
             name_of(tmu, unit), outside, lane, (*address)[lane], distance,
             origin_text(&tmu->origin, ports->bus, (*address)[lane], origin), name_of(tmu, unit));
}

enum { WORDS_SIZE = 200 };

/* Writes to text which uniforms became texture parameters 0 and 1, and returns text. The text is
 * empty if their addresses are unknown. */
static const char *parameters_text(const struct tmu_unit *unit, char text[WORDS_SIZE])
{
    text[0] = '\0';
    if (unit->parameter_at[0] && unit->parameters >= 2)
        snprintf(text, WORDS_SIZE,
                 "; the uniform at 0x%08x sets texture parameter 0 (address, type) to 0x%08x, and "
                 "the uniform at 0x%08x sets parameter 1 (size, filters) to 0x%08x",
                 unit->parameter_at[0], unit->parameter[0], unit->parameter_at[1],
                 unit->parameter[1]);
    return text;
}

static void report_texels(struct tmu *tmu, const struct tmu_ports *ports,
                          const struct tmu_unit *unit, const struct texture *texture)
{
    const struct sampler_outside *outside = &ports->textures->sampler.outside;
    char distance[96], words[WORDS_SIZE];
    report_distance(ports->bus, outside->address, distance, sizeof distance);
    fault_at(ports->log, FAULT_BUS_UNMAPPED, outside->address,
             "texture unit TMU%u: %u texel%s outside mapped memory: texel (%u, %u) of level %u "
             "(%s, %u bytes at 0x%08x) lies at 0x%08x, %s%s" WITH_HINT
             "correct the address in texture parameter 0 or the size in parameter 1 (the writes of "
             "a request to T, R, B and S read parameters 0, 1, 2 and 3 from the next uniforms), or "
             "map memory for the whole texture",
             name_of(tmu, unit), outside->texels, outside->texels == 1 ? "" : "s", outside->x,
             outside->y, outside->level, texture->format->name, outside->size_bytes, outside->start,
             outside->address, distance, parameters_text(unit, words));
}

static void report_sampling(struct tmu *tmu, const struct tmu_ports *ports,
                            const struct tmu_unit *unit, const struct texture *texture)
{
    if (ports->textures->sampler.outside.texels)
        report_texels(tmu, ports, unit, texture);
    if (ports->textures->sampler.errata & FILTER_HW2619)
        fault(
            ports->log, FAULT_TMU_HALF_BLEND,
            "a linear filter that uses a single %s texel loses the sign of a negative power of two "
            "(erratum HW-2619)",
            texture->format->name);
    if (ports->textures->sampler.errata & FILTER_HW2645)
        fault(
            ports->log, FAULT_TMU_HALF_BLEND,
            "the blend of two levels of type %s, one with infinity and one with a negative value, "
            "is negative (erratum HW-2645)",
            texture->format->name);
}

/* ---- races ----------------------------------------------------------------------------------- */

/* Checks the reads of a user program for races, or stores the reads for a later check. Each of the
 * `taps` taps reads size bytes at each address of the elements in its `used` mask. */
static void look_for_races(const struct tmu *tmu, const struct tmu_ports *ports,
                           const lanes *address, const lane_mask *used, uint32_t taps,
                           uint32_t size)
{
    const struct race_lookup lookup = {.qpu = tmu->qpu,
                                       .unit = tmu->last.unit,
                                       .taps = taps,
                                       .size = size,
                                       .address = address,
                                       .used = used};
    if (ports->reads)
        race_keep(ports->reads, &lookup, &ports->log->place);
    else
        race_lookup(ports->race, &lookup);
}

static void look_for_word_races(const struct tmu *tmu, const struct tmu_ports *ports,
                                const lanes *address)
{
    const lane_mask all = ALL_LANES;
    const lanes words = *address & ~UINT32_C(3);
    look_for_races(tmu, ports, &words, &all, 1, 4);
}

/* ---- the observer of the bus ----------------------------------------------------------------- */

/* Reports the reads of `taps` taps: size bytes at each address of the elements in a `used` mask.
 * Without the attribute, the function makes its callers slower when there is no observer. */
static void observe(const struct bus *bus, const lanes *address, const lane_mask *used,
                    uint32_t taps, uint32_t size) __attribute__((cold, noinline));

static void observe(const struct bus *bus, const lanes *address, const lane_mask *used,
                    uint32_t taps, uint32_t size)
{
    for (uint32_t tap = 0; tap < taps; tap++)
        for (unsigned lane = 0; lane < LANES; lane++)
            if (used[tap] >> lane & 1)
                bus_observe(bus, BUS_TMU, address[tap][lane], size, false);
}

static void observe_words(const struct bus *bus, const lanes *address)
{
    const lane_mask all = ALL_LANES;
    const lanes words = *address & ~UINT32_C(3);
    observe(bus, &words, &all, 1, 4);
}

/* ---- requests -------------------------------------------------------------------------------- */

/* True if the request FIFO has room for a request of `slots` writes. The receive FIFO then also has
 * room, because both FIFOs have the same size and a request never has more result words than
 * writes. */
static bool has_room(struct tmu *tmu, const struct tmu_ports *ports, struct tmu_unit *unit,
                     uint32_t slots)
{
    if (slots <= TMU_FIFO - unit->slots_used)
        return true;
    if (!unit->overflowed)
        fault(ports->log, FAULT_TMU_OVERFLOW,
              "TMU%u: a request of %u write%s does not fit, because requests with unread results "
              "hold %u of %d slots",
              name_of(tmu, unit), slots, slots == 1 ? "" : "s", unit->slots_used, TMU_FIFO);
    unit->overflowed = true;
    return false;
}

/* Queues a lookup's result. Returns the address at which the caller must store the result. */
static lanes *queue_lookup(struct tmu_unit *unit, uint32_t pc)
{
    uint32_t at = (unit->first + unit->count++) % TMU_FIFO;
    unit->slots[at] = unit->lookup[at] = 1;
    unit->asked[at] = pc;
    unit->slots_used++;
    unit->lookups_used++;
    return &unit->result[at];
}

/* Returns the address at which the next result word is stored. */
static lanes *next_result(struct tmu_unit *unit)
{
    return &unit->result[(unit->first + unit->count) % TMU_FIFO];
}

/* Queues a result word that has been stored. Reading the word frees a number of slots. */
static void queue_word(struct tmu_unit *unit, uint32_t slots, uint32_t pc)
{
    uint32_t at = (unit->first + unit->count++) % TMU_FIFO;
    unit->slots[at] = (uint8_t)slots;
    unit->lookup[at] = false;
    unit->asked[at] = pc;
    unit->slots_used += slots;
}

/* Queues a request's result words. The request's slots become free when the last word is read. */
static void queue(struct tmu_unit *unit, const lanes result[2], uint32_t words, uint32_t slots,
                  uint32_t pc)
{
    copy_lanes(next_result(unit), &result[0]);
    queue_word(unit, words == 1 ? slots : 0, pc);
    if (words == 1)
        return;
    copy_lanes(next_result(unit), &result[1]);
    queue_word(unit, slots, pc);
}

/* number of parts in a value of 16 lanes */
enum { PARTS = LANES * 4 / PART_BYTES };

/* True if the words at all offsets are inside a region. */
static bool are_inside(const struct bus_region *region, const lanes *offset)
{
    const part *parts = (const part *)offset;
    const uint32_t last = region->size - 4;
    part outside = {0}; /* the top bit of an element becomes 1 if the offset is outside, because
                           offsets and sizes have 30 bits */
    for (unsigned i = 0; i < PARTS; i++)
        outside |= parts[i] | (last - parts[i]);
    return region->size >= 4 && signs(outside) == 0;
}

/* True if each lane's offset is the previous lane's offset plus step. */
static bool is_row(const lanes *offset, uint32_t step)
{
    static const part number = {0, 1, 2, 3};
    const part *parts = (const part *)offset;
    part other = {0}, next = (*offset)[0] + number * step;
    for (unsigned i = 0; i < PARTS; i++, next += 4 * step)
        other |= parts[i] ^ next;
    return signs((part)(other == 0)) == 15;
}

/* Common patterns of the elements' addresses: PATTERN_ROW for 16 adjacent words, PATTERN_SAME for
 * one word that all elements read. */
enum pattern { PATTERN_NONE, PATTERN_ROW, PATTERN_SAME };

static bool are_there(const struct bus_region *region, uint32_t offset, uint32_t bytes)
{
    return region->size >= bytes && offset <= region->size - bytes;
}

/* Returns the pattern of the offsets in a region. Returns PATTERN_NONE if there is no pattern or if
 * an offset is outside the region. */
static enum pattern find_pattern(const struct bus_region *region, const lanes *offset)
{
    const uint32_t first = (*offset)[0], step = (*offset)[1] - first;
    if (step == 4 && are_there(region, first, 4 * LANES) && is_row(offset, 4))
        return PATTERN_ROW;
    return step == 0 && are_there(region, first, 4) && is_row(offset, 0) ? PATTERN_SAME
                                                                         : PATTERN_NONE;
}

static void gather(const struct bus_region *region, const lanes *offset, enum pattern pattern,
                   lanes *result)
{
    const uint8_t *first = region->host + (*offset)[0];
    if (pattern == PATTERN_ROW)
        for (unsigned lane = 0; lane < LANES; lane++)
            (*result)[lane] = load_le32(first + (size_t)4 * lane);
    else if (pattern == PATTERN_SAME)
        *result = (lanes){0} + load_le32(first);
    else
        for (unsigned lane = 0; lane < LANES; lane++)
            (*result)[lane] = load_le32(region->host + (*offset)[lane]);
}

/* Looks up the word at each lane's address. Returns the lanes whose address is not mapped. */
static lane_mask look_up(const struct tmu_ports *ports, const lanes *address, lanes *result)
{
    lane_mask outside = 0;
    for (unsigned lane = 0; lane < LANES; lane++) {
        const uint8_t *word = bus_peek(ports->bus, (*address)[lane] & ~UINT32_C(3), 4);
        (*result)[lane] = word ? load_le32(word) : 0;
        outside |= (lane_mask)(!word << lane);
    }
    return outside;
}

bool tmu_look_up_quietly(struct tmu *tmu, const struct tmu_ports *ports, unsigned unit,
                         const lanes *address)
{
    struct tmu_unit *to = &tmu->unit[serving(tmu, unit)];
    const struct bus_region *region = bus_region(ports->bus, (*address)[0]);
    if (!region || ports->race || to->written || to->slots_used == TMU_FIFO ||
        to->lookups_used == TMU_LOOKUPS)
        return false;
    lanes offset = (*address & (BUS_ADDRESS_MASK & ~UINT32_C(3))) - region->base;
    enum pattern pattern = find_pattern(region, &offset);
    if (pattern == PATTERN_NONE && !are_inside(region, &offset))
        return false;
    start_cost(tmu, to);
    gather(region, &offset, pattern, queue_lookup(to, tmu->pc));
    const struct accesses accesses = accesses_of(tmu, ports);
    if (pattern == PATTERN_NONE)
        accesses_words(&accesses, address);
    else
        accesses_row(&accesses, address);
    count_events(tmu, ports);
    return true;
}

__attribute__((noinline)) static void submit_lookup(struct tmu *tmu, const struct tmu_ports *ports,
                                                    struct tmu_unit *unit)
{
    if (!has_room(tmu, ports, unit, 1))
        return;
    start_cost(tmu, unit);
    lanes *result = queue_lookup(unit, tmu->pc);
    lane_mask outside = look_up(ports, &unit->coordinate[TMU_S], result);
    if (ports->bus->observer)
        observe_words(ports->bus, &unit->coordinate[TMU_S]);
    if (outside)
        report_lookup(tmu, ports, unit, &unit->coordinate[TMU_S], outside);
    if (ports->race)
        look_for_word_races(tmu, ports, &unit->coordinate[TMU_S]);
    if (unit->lookups_used == TMU_LOOKUPS + 1)
        fault(ports->log, FAULT_TMU_LOOKUPS, "TMU%u: %u memory lookups are in flight",
              name_of(tmu, unit), unit->lookups_used);
    const struct accesses accesses = accesses_of(tmu, ports);
    accesses_words(&accesses, &unit->coordinate[TMU_S]);
    count_events(tmu, ports);
}

/* Compares the parameters of a kept texture with those of a request. Words are compared one by one,
 * because a wider load of words that were just stored would stall the host's processor. */
static bool is_texture(const uint32_t *parameter, uint32_t parameters, const uint32_t *requested,
                       uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (parameter[i] != requested[i])
            return false;
    return parameters == count;
}

/* Returns the number of the kept texture with these parameters. Keeps the texture if it is not kept
 * yet, in place of the oldest one. */
static unsigned keep_texture(struct tmu *tmu, const uint32_t *requested, uint32_t count)
{
    for (unsigned i = 0; i < TMU_TEXTURES; i++)
        if (is_texture(tmu->texture[i].parameter, tmu->texture[i].parameters, requested, count))
            return i;
    unsigned number = tmu->next_texture++ % TMU_TEXTURES;
    tmu->texture[number] = (struct tmu_texture){.parameters = count};
    memcpy(tmu->texture[number].parameter, requested, count * sizeof *requested);
    return number;
}

/* Returns the number of the texture that the unit's parameters describe. Decodes the parameters if
 * the decoded texture is another one. */
static unsigned find_texture(struct tmu *tmu, const struct tmu_ports *ports,
                             const struct tmu_unit *unit)
{
    uint32_t count = unit->parameters;
    if (count > TEXTURE_PARAMETERS)
        count = TEXTURE_PARAMETERS;
    unsigned number = keep_texture(tmu, unit->parameter, count);
    struct texture *texture = &ports->textures->decoded[number];
    if (!is_texture(texture->parameter, texture->parameters, unit->parameter, count))
        texture_setup(texture, unit->parameter, count);
    ports->textures->latest = number;
    return number;
}

/* Models and reports the accesses of the sampler's texels. */
static void access_texels(struct tmu *tmu, const struct tmu_ports *ports,
                          const struct texture *texture)
{
    const struct sampler *sampler = &ports->textures->sampler;
    const struct accesses accesses = accesses_of(tmu, ports);
    if (accesses.cache)
        accesses_texels(&accesses, sampler);
    if (ports->race)
        look_for_races(tmu, ports, sampler->address, sampler->used, sampler->taps,
                       (texture->format->bits + 7u) / 8);
    if (ports->bus->observer)
        observe(ports->bus, sampler->address, sampler->used, sampler->taps,
                (texture->format->bits + 7u) / 8);
}

static void sample(struct tmu *tmu, const struct tmu_ports *ports, const struct tmu_unit *unit,
                   struct texture *texture, lanes result[2])
{
    struct sampler *sampler = &ports->textures->sampler;
    sampler->bus = ports->bus;
    sampler->traced = ports->slices || ports->race || ports->bus->observer;
    sampler_run(sampler, texture, unit->coordinate, unit->coordinate[TMU_R][0], result);
    if (sampler->outside.texels | sampler->errata)
        report_sampling(tmu, ports, unit, texture);
    if (sampler->traced)
        access_texels(tmu, ports, texture);
}

void tmu_forget_textures(struct tmu *tmu)
{
    for (unsigned i = 0; i < TMU_TEXTURES; i++)
        tmu->texture[i].parameters = 0;
    tmu->next_texture = 0;
}

/* Checks whether a texture's memory overlaps with control lists. The check is done once while the
 * texture is kept. */
static void check_memory(struct tmu *tmu, const struct tmu_ports *ports, unsigned number)
{
    struct texture *texture = &ports->textures->decoded[number];
    if (tmu->texture[number].checked || !ports->lists || !texture->valid)
        return;
    tmu->texture[number].checked = true;
    list_memory_texture(ports->lists, ports->frame, texture->base,
                        &texture_level(texture, 0)->image, ports->log);
}

/* Executes a request of S and T with the parameters of the latest request, if no finding about the
 * texture is possible. Returns false and does nothing otherwise. */
static bool submit_again(struct tmu *tmu, const struct tmu_ports *ports, struct tmu_unit *unit)
{
    struct texture *texture = &ports->textures->decoded[ports->textures->latest];
    const struct tmu_texture *kept = &tmu->texture[ports->textures->latest];
    if (!texture->quick || unit->parameters != 2 || kept->parameters != 2 ||
        unit->slots_used > TMU_FIFO - 2 || unit->parameter[0] != kept->parameter[0] ||
        unit->parameter[1] != kept->parameter[1] || unit->parameter[0] != texture->parameter[0] ||
        unit->parameter[1] != texture->parameter[1] || (ports->lists && !kept->checked))
        return false;
    start_cost(tmu, unit);
    sample(tmu, ports, unit, texture, next_result(unit));
    queue_word(unit, 2, tmu->pc);
    count_events(tmu, ports);
    return true;
}

__attribute__((noinline)) static void submit_texture(struct tmu *tmu, const struct tmu_ports *ports,
                                                     struct tmu_unit *unit)
{
    lanes *result = ports->textures->result;
    unsigned number = find_texture(tmu, ports, unit);
    struct texture *texture = &ports->textures->decoded[number];
    char words[WORDS_SIZE];
    bool sound = (texture->valid && !texture->warnings) ||
                 texture_check(texture, ports->log, parameters_text(unit, words));
    if (!has_room(tmu, ports, unit, unit->parameters))
        return;
    check_memory(tmu, ports, number);
    start_cost(tmu, unit);
    if (sound)
        sample(tmu, ports, unit, texture, result);
    else
        result[0] = result[1] = (lanes){0};
    queue(unit, result, texture->format ? texture->format->words : 1, unit->parameters, tmu->pc);
    count_events(tmu, ports);
}

/* Clears the registers that were written, each with few stores: for the whole array at once,
 * compilers use a string instruction, which takes longer. */
static void start_request(struct tmu_unit *unit)
{
    unit->coordinate[TMU_S] = (lanes){0};
    for (unsigned reg = TMU_T; reg <= TMU_B; reg++)
        if (unit->written >> reg & 1)
            unit->coordinate[reg] = (lanes){0};
    unit->written = 0;
    unit->parameters = 0;
}

/* Executes the request after a write to S. */
__attribute__((noinline)) static void submit(struct tmu *tmu, const struct tmu_ports *ports,
                                             struct tmu_unit *unit)
{
    if (!unit->written)
        submit_lookup(tmu, ports, unit);
    else if (!submit_again(tmu, ports, unit))
        submit_texture(tmu, ports, unit);
    start_request(unit);
}

static inline void store_coordinate(struct tmu *tmu, const struct tmu_ports *ports,
                                    struct tmu_unit *to, enum tmu_register reg, const lanes *value)
{
    copy_lanes(&to->coordinate[reg], value);
    if (reg == TMU_S) {
        submit(tmu, ports, to);
        return;
    }
    to->written |= 1u << reg;
    to->written_at = tmu->pc;
}

__attribute__((noinline)) static void write_too_many(struct tmu *tmu, const struct tmu_ports *ports,
                                                     struct tmu_unit *to, enum tmu_register reg,
                                                     const lanes *value)
{
    report_parameter(ports, to);
    store_coordinate(tmu, ports, to, reg, value);
}

/* Takes a pointer to the unit, so that the compiler does not compute the unit's address again and
 * again. */
__attribute__((noinline)) static void write_unit(struct tmu *tmu, const struct tmu_ports *ports,
                                                 struct tmu_unit *to, enum tmu_register reg,
                                                 const lanes *value, uint32_t parameter)
{
    if ((reg != TMU_S || to->written) && !take_parameter(tmu, to, parameter))
        write_too_many(tmu, ports, to, reg, value);
    else
        store_coordinate(tmu, ports, to, reg, value);
}

void tmu_write(struct tmu *tmu, const struct tmu_ports *ports, unsigned unit, enum tmu_register reg,
               const lanes *value, uint32_t parameter)
{
    write_unit(tmu, ports, &tmu->unit[serving(tmu, unit)], reg, value, parameter);
}

__attribute__((noinline)) static bool read_unit(struct tmu_unit *from, lanes *result)
{
    const uint32_t first = from->first;
    if (from->count == 0)
        return false;
    copy_lanes(result, &from->result[first]);
    from->slots_used -= from->slots[first];
    from->lookups_used -= from->lookup[first];
    from->first = (first + 1) % TMU_FIFO;
    from->count--;
    from->overflowed = from->overflowed && from->count > 0;
    return true;
}

bool tmu_read(struct tmu *tmu, unsigned unit, lanes *result)
{
    return read_unit(&tmu->unit[serving(tmu, unit)], result);
}

uint32_t tmu_slots_used(const struct tmu *tmu, unsigned unit)
{
    return tmu->unit[serving(tmu, unit)].slots_used;
}

uint32_t tmu_pending(const struct tmu *tmu)
{
    uint32_t pending = 0;
    for (unsigned unit = 0; unit < TMU_UNITS; unit++)
        pending += tmu->unit[unit].count;
    return pending;
}
