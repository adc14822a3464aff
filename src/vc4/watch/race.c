/* SPDX-License-Identifier: MIT */
/* race.c - see race.h.
 *
 * Source: vector clocks after Lamport, Fidge and Mattern. Only the latest read and the latest write
 *         of each word are kept.
 * Left out: reads of uniforms and instructions; texture lookups, except plain memory lookups;
 *           vertex and fragment shaders; accesses by the host. */
#include "vc4/watch/race.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "vc4/memory/bus.h"

static uint32_t number_of(uint32_t qpu, enum race_agent agent)
{
    return qpu % RACE_QPUS * 4 + (uint32_t)agent;
}

static void join(struct race_clock *clock, const struct race_clock *other)
{
    for (unsigned i = 0; i < RACE_AGENTS; i++)
        if (clock->of[i] < other->of[i])
            clock->of[i] = other->of[i];
}

/* Advances an agent's time, so that the agent's next accesses do not count as known to agents that
 * have received the earlier time. */
static void tick(struct race *race, uint32_t agent)
{
    race->agent[agent].of[agent]++;
}

struct race *race_new(struct fault_log *log)
{
    struct race *race = calloc(1, sizeof *race);
    if (!race)
        return NULL;
    race->log = log;
    for (uint32_t agent = 0; agent < RACE_AGENTS; agent++)
        if (agent % 4 != RACE_FIFO)
            tick(race, agent);
    stale_clear(&race->stale);
    return race;
}

void race_free(struct race *race)
{
    if (!race)
        return;
    /* a restore that failed may have left fewer pages than it announced */
    for (uint32_t i = 0, left = race->pages; i < RACE_PAGES && left > 0; i++) {
        left -= race->page[i] != NULL;
        free(race->page[i]);
    }
    free(race);
}

/* --- order --- */

void race_host(struct race *race)
{
    for (uint32_t agent = 0; agent < RACE_AGENTS; agent++) {
        join(&race->host, &race->agent[agent]);
        if (agent % 4 != RACE_FIFO)
            tick(race, agent);
    }
}

void race_start(struct race *race, uint32_t qpu)
{
    join(&race->agent[number_of(qpu, RACE_PROGRAM)], &race->host);
}

static void pass(struct race *race, struct race_clock *through, uint32_t qpu, bool acquire)
{
    uint32_t program = number_of(qpu, RACE_PROGRAM);
    if (acquire) {
        join(&race->agent[program], through);
        return;
    }
    join(through, &race->agent[program]);
    tick(race, program);
}

void race_semaphore(struct race *race, uint32_t qpu, uint32_t number, bool acquire)
{
    pass(race, &race->semaphore[number % RACE_SEMAPHORES], qpu, acquire);
}

void race_mutex(struct race *race, uint32_t qpu, bool acquire)
{
    pass(race, &race->mutex, qpu, acquire);
}

void race_begin(struct race *race, uint32_t qpu, enum race_agent agent)
{
    uint32_t program = number_of(qpu, RACE_PROGRAM), other = number_of(qpu, agent);
    join(&race->agent[other], &race->agent[program]);
    tick(race, other);
    tick(race, program);
}

void race_wait(struct race *race, uint32_t qpu, enum race_agent agent)
{
    join(&race->agent[number_of(qpu, RACE_PROGRAM)], &race->agent[number_of(qpu, agent)]);
}

/* Takes a vector from the read FIFO. The time of a FIFO's agent is the number of vectors that have
 * been set up for reading so far. */
void race_take(struct race *race, uint32_t qpu)
{
    uint32_t fifo = number_of(qpu, RACE_FIFO);
    race->agent[number_of(qpu, RACE_PROGRAM)].of[fifo] = ++race->taken[qpu % RACE_QPUS];
}

void race_take_rest(struct race *race, uint32_t qpu)
{
    uint32_t fifo = number_of(qpu, RACE_FIFO);
    uint32_t all = race->agent[fifo].of[fifo];
    race->agent[number_of(qpu, RACE_PROGRAM)].of[fifo] = race->taken[qpu % RACE_QPUS] = all;
}

/* --- accesses --- */

static bool knows(const struct race *race, uint32_t agent, uint32_t other, uint32_t time)
{
    return race->agent[agent].of[other] >= time;
}

/* An access to one word. .where is a bus address, or the number of a word in the VPM. */
struct touched {
    struct race_cell *cell;
    uint32_t bytes;
    bool write, in_memory;
    uint32_t where;
};

static void find(struct race_access *access, const struct touched *touched, uint32_t other,
                 bool other_wrote)
{
    if (access->found)
        return;
    access->found = true;
    access->wrote = touched->write;
    access->in_memory = touched->in_memory;
    access->where = touched->where;
    access->other = other;
    access->other_wrote = other_wrote;
}

/* Records an access as the latest read or write of a word. If the same agent has already accessed
 * the word at this time, adds the accessed bytes to that access. */
static void keep(const struct touched *touched, uint32_t self, uint32_t now, uint8_t *agent,
                 uint32_t *time, uint8_t *bytes)
{
    bool same = *agent == self && *time == now;
    *bytes = (uint8_t)((same ? *bytes : 0u) | touched->bytes);
    *agent = (uint8_t)self;
    *time = now;
}

static void touch(struct race *race, struct race_access *access, const struct touched *touched)
{
    struct race_cell *cell = touched->cell;
    uint32_t self = number_of(access->qpu, access->agent), now = race->agent[self].of[self];
    if (cell->write_bytes & touched->bytes && !knows(race, self, cell->writer, cell->write_time))
        find(access, touched, cell->writer, true);
    if (touched->write && cell->read_bytes & touched->bytes &&
        !knows(race, self, cell->reader, cell->read_time))
        find(access, touched, cell->reader, false);
    if (touched->write)
        keep(touched, self, now, &cell->writer, &cell->write_time, &cell->write_bytes);
    else
        keep(touched, self, now, &cell->reader, &cell->read_time, &cell->read_bytes);
}

void race_vpm(struct race *race, struct race_access *access, uint32_t word, uint32_t bytes,
              bool write)
{
    const struct touched touched = {
        .cell = &race->vpm[word % RACE_VPM_WORDS],
        .bytes = bytes,
        .write = write,
        .where = word,
    };
    touch(race, access, &touched);
}

static bool is_cached(uint32_t address)
{
    return address >> 30 != 3;
}

static void find_mixed(struct race_access *access, const struct race_cell *cell, uint32_t address)
{
    if (access->mixed)
        return;
    access->mixed = true;
    access->mixed_where = address;
    access->mixed_writer = cell->writer;
}

/* Updates the record of whether a word of memory is in the SoC's level 2 cache. A cached write
 * stays in the cache until the line is replaced. An uncached write leaves an old copy in the cache.
 * If a read takes another path than the latest write, stores the read in *access. */
static void follow_path(struct race_access *access, struct race_cell *cell, uint32_t address,
                        bool write)
{
    uint8_t cached = is_cached(address) ? RACE_CACHED : 0;
    bool misses = cached ? cell->ways & RACE_PAST : cell->ways & RACE_BY_CACHE;
    if (!write && misses)
        find_mixed(access, cell, address);
    if (write && cached)
        cell->ways = RACE_CACHED | RACE_BY_CACHE;
    else if (write)
        cell->ways = cell->ways & RACE_CACHED ? RACE_CACHED | RACE_PAST : 0;
    else
        cell->ways |= cached;
}

/* Returns the cell of a word of memory, or NULL if RACE_PAGES_KEPT pages have been touched or the
 * host is out of memory. */
static struct race_cell *memory_cell(struct race *race, uint32_t address)
{
    uint32_t word = (address & BUS_ADDRESS_MASK) / 4;
    struct race_page **page = &race->page[word / RACE_PAGE_WORDS];
    if (!*page && race->pages < RACE_PAGES_KEPT) {
        *page = calloc(1, sizeof **page);
        race->pages += *page != NULL;
    }
    return *page ? &(*page)->word[word % RACE_PAGE_WORDS] : NULL;
}

void race_memory(struct race *race, struct race_access *access, uint32_t address, uint32_t size,
                 bool write)
{
    while (size) {
        uint32_t first = address % 4, count = size < 4 - first ? size : 4 - first;
        const struct touched touched = {
            .cell = memory_cell(race, address),
            .bytes = ((1u << count) - 1) << first,
            .write = write,
            .in_memory = true,
            .where = address,
        };
        if (touched.cell) {
            touch(race, access, &touched);
            follow_path(access, touched.cell, address, write);
        }
        address += count;
        size -= count;
    }
}

/* --- lookups of the TMU --- */

void race_stored(struct race *race, uint32_t address, uint32_t size, uint32_t pc)
{
    stale_store(&race->stale, address, size, pc);
}

void race_clear_caches(struct race *race)
{
    stale_clear(&race->stale);
}

/* Records a read by the TMU from a cache line that was fetched before the latest store to the
 * word. */
static void look_at_caches(struct race *race, struct race_access *access, uint32_t tmu,
                           uint32_t address)
{
    uint32_t by = stale_read(&race->stale, tmu, address);
    if (!by || access->stale_by)
        return;
    access->stale_by = by;
    access->stale_where = address;
}

static void look_up(struct race *race, struct race_access *access, uint32_t unit,
                    const lanes *address, lane_mask used, uint32_t size)
{
    uint32_t tmu = access->qpu / 4 * 2 + unit;
    for (unsigned lane = 0; lane < LANES; lane++) {
        if (!(used >> lane & 1))
            continue;
        race_memory(race, access, (*address)[lane], size, false);
        look_at_caches(race, access, tmu, (*address)[lane]);
    }
}

void race_lookup(struct race *race, const struct race_lookup *lookup)
{
    struct race_access access = {.qpu = lookup->qpu, .agent = RACE_PROGRAM};
    for (uint32_t tap = 0; tap < lookup->taps; tap++)
        look_up(race, &access, lookup->unit, &lookup->address[tap], lookup->used[tap],
                lookup->size);
    race_report(race, &access);
}

/* One tap of a stored lookup: 16 addresses, one for each element. */
struct race_read {
    lanes address;
    lane_mask used;
    bool last; /* the last tap of its lookup */
    uint32_t qpu, unit, size;
    struct tess_place place;
};

/* Returns room for another tap, or NULL if the host is out of memory. Does not use realloc(),
 * because the type lanes needs more alignment than realloc() guarantees. */
static struct race_read *new_read(struct race_reads *reads)
{
    if (reads->count < reads->capacity)
        return &reads->read[reads->count++];
    size_t capacity = reads->capacity ? 2 * reads->capacity : 64;
    struct race_read *more = aligned_alloc(_Alignof(struct race_read), capacity * sizeof *more);
    if (!more)
        return NULL;
    if (reads->count)
        memcpy(more, reads->read, reads->count * sizeof *more);
    free(reads->read);
    reads->read = more;
    reads->capacity = capacity;
    return &reads->read[reads->count++];
}

void race_keep(struct race_reads *reads, const struct race_lookup *lookup,
               const struct tess_place *place)
{
    for (uint32_t tap = 0; tap < lookup->taps; tap++) {
        struct race_read *read = new_read(reads);
        if (read)
            *read = (struct race_read){.address = lookup->address[tap],
                                       .used = lookup->used[tap],
                                       .last = tap + 1 == lookup->taps,
                                       .qpu = lookup->qpu,
                                       .unit = lookup->unit,
                                       .size = lookup->size,
                                       .place = *place};
    }
}

void race_look_at(struct race *race, struct race_reads *reads)
{
    const struct tess_place place = race->log->place;
    struct race_access access = {0};
    for (size_t i = 0; i < reads->count; i++) {
        const struct race_read *read = &reads->read[i];
        access.qpu = read->qpu;
        access.agent = RACE_PROGRAM;
        look_up(race, &access, read->unit, &read->address, read->used, read->size);
        if (!read->last)
            continue;
        race->log->place = read->place;
        race_report(race, &access);
        access = (struct race_access){0};
    }
    race->log->place = place;
    reads->count = 0;
}

void race_reads_free(struct race_reads *reads)
{
    free(reads->read);
    *reads = (struct race_reads){0};
}

/* --- findings --- */

static const char *agent_name(uint32_t agent, char *text, size_t size)
{
    static const char *const names[] = {
        [RACE_PROGRAM] = "",
        [RACE_LOAD] = "the DMA load of ",
        [RACE_STORE] = "the DMA store of ",
        [RACE_FIFO] = "the read FIFO of ",
    };
    snprintf(text, size, "%sQPU %u", names[agent % 4], agent / 4);
    return text;
}

static void place_name(const struct race_access *access, char *text, size_t size)
{
    if (access->in_memory)
        snprintf(text, size, "memory at 0x%08x", access->where);
    else
        snprintf(text, size, "VPM row %u, column %u", access->where / 16, access->where % 16);
}

static enum fault_rule rule_of(const struct race_access *access, uint32_t self)
{
    if (access->other / 4 != self / 4)
        return access->in_memory ? FAULT_MEMORY_RACE : FAULT_VPM_RACE;
    bool fifo = access->other % 4 == RACE_FIFO || self % 4 == RACE_FIFO;
    bool both = access->other % 4 == RACE_PROGRAM || self % 4 == RACE_PROGRAM;
    return fifo && both ? FAULT_VPM_PREFETCH : FAULT_VPM_UNFINISHED;
}

static void report_mixed(struct race *race, const struct race_access *access)
{
    char self[32], writer[32];
    uint32_t address = access->mixed_where;
    bool cached = is_cached(address);
    fault_at(race->log, FAULT_MEMORY_ALIAS, address,
             "%s reads 0x%08x %s the SoC's level 2 cache, but %s has written it %s",
             agent_name(number_of(access->qpu, access->agent), self, sizeof self), address,
             cached ? "through" : "bypassing",
             agent_name(access->mixed_writer, writer, sizeof writer),
             cached ? "bypassing that cache, which may hold an older copy"
                    : "through that cache, which may not have written it to memory yet");
}

static void report_stale(struct race *race, const struct race_access *access)
{
    fault_at(race->log, FAULT_TMU_STALE, access->stale_where,
             "the TMU reads 0x%08x from a cache line that was fetched before the DMA store which "
             "the instruction at 0x%08x started",
             access->stale_where, access->stale_by);
}

void race_report(struct race *race, const struct race_access *access)
{
    char self_text[32], other_text[32], place[48];
    if (access->mixed)
        report_mixed(race, access);
    if (access->stale_by && !access->found)
        report_stale(race, access);
    if (!access->found)
        return;
    uint32_t self = number_of(access->qpu, access->agent);
    agent_name(self, self_text, sizeof self_text);
    agent_name(access->other, other_text, sizeof other_text);
    place_name(access, place, sizeof place);
    fault(race->log, rule_of(access, self), "%s %s %s, which %s %s without synchronisation",
          self_text, access->wrote ? "writes" : "reads", place, other_text,
          access->other_wrote ? "writes" : "reads");
}
