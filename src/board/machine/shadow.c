/* SPDX-License-Identifier: MIT */
/* shadow.c - see shadow.h.
 *
 * In:  accesses of the ARM and of other units, cache maintenance, barriers.
 * Out: what is wrong with an access.
 *
 * Barriers and starts of units divide time into epochs, which have numbers. A word that was written
 * in an epoch between the latest barrier and the start of a unit is not ordered before the start.
 *
 * Source: ARM Architecture Reference Manual ARMv7-A, A3.8.3 (ordering) and B2.2.6 (maintenance);
 *         Cortex-A7 and Cortex-A53 Technical Reference Manuals (lines of 64 bytes).
 * Choices: an ARM1176 has lines of 32 bytes; here, maintenance of one counts for the 64 bytes
 *          around it. Maintenance by set and way counts for the whole cache. */
#include "board/machine/shadow.h"

#include <stdlib.h>
#include <string.h>

#include "base/state.h"

enum { PAGE = 4096, WORDS = PAGE / 4, LINES = PAGE / SHADOW_LINE, LINE_WORDS = SHADOW_LINE / 4 };

struct page {
    uint64_t writer[WORDS];  /* pc of the instruction that wrote the word; 0: another unit */
    uint32_t epoch[WORDS];   /* of the write; 0 if it is ordered with everything */
    uint64_t written[LINES]; /* bit n: byte n of the line was written */
    /* For each line, bit n for word n: the cache has the word as the ARM wrote it; another unit has
     * written the word since the cache has the line. */
    uint16_t dirty[LINES], foreign[LINES];
    uint64_t kept;                  /* bit n: the cache has line n */
    uint32_t cleans, invalidations; /* of the whole cache, when the bits were set */
    uint8_t unit;                   /* that has written foreign lines last */
};

struct shadow {
    struct page **pages; /* NULL for a page that nothing has accessed */
    uint32_t count;      /* of pages */
    uint32_t checked;
    uint32_t epoch, after_barrier; /* the present epoch; the first one after the latest barrier */
    uint32_t first[SHADOW_UNITS], last[SHADOW_UNITS]; /* epochs not ordered before a unit's start */
    uint32_t cleans, invalidations;                   /* of the whole cache */
};

struct shadow *shadow_create(uint32_t size, uint32_t checked)
{
    struct shadow *shadow = calloc(1, sizeof *shadow);
    if (!shadow)
        return NULL;
    shadow->count = size / PAGE;
    shadow->checked = checked;
    shadow->epoch = shadow->after_barrier = 1;
    shadow->pages = calloc(shadow->count, sizeof *shadow->pages);
    if (shadow->pages)
        return shadow;
    free(shadow);
    return NULL;
}

void shadow_free(struct shadow *shadow)
{
    for (uint32_t i = 0; shadow && i < shadow->count; i++)
        free(shadow->pages[i]);
    if (shadow)
        free(shadow->pages);
    free(shadow);
}

/* Returns the page of an address, or NULL. Creates it if `create` is true. */
static struct page *page_at(struct shadow *shadow, uint32_t address, bool create)
{
    uint32_t number = address / PAGE;
    if (number >= shadow->count)
        return NULL;
    struct page *page = shadow->pages[number];
    if (!page && create)
        page = shadow->pages[number] = calloc(1, sizeof *page);
    if (page && page->cleans != shadow->cleans)
        memset(page->dirty, 0, sizeof page->dirty);
    if (page && page->invalidations != shadow->invalidations) {
        memset(page->foreign, 0, sizeof page->foreign);
        page->kept = 0;
    }
    if (page) {
        page->cleans = shadow->cleans;
        page->invalidations = shadow->invalidations;
    }
    return page;
}

/* A part of a range that is in one line. */
struct part {
    uint32_t address, size, line; /* line: of the page */
    uint64_t bytes;               /* bit n: byte n of the line */
    uint16_t words;               /* bit n: word n of the line */
};

/* Returns the next part of a range. */
static struct part take_part(uint32_t address, uint32_t size)
{
    uint32_t first = address % SHADOW_LINE, left = SHADOW_LINE - first;
    uint32_t count = size < left ? size : left;
    uint64_t bytes = count == SHADOW_LINE ? UINT64_MAX : ((UINT64_C(1) << count) - 1) << first;
    uint32_t low = first / 4, high = (first + count - 1) / 4;
    uint16_t words = (uint16_t)((UINT32_C(2) << high) - (UINT32_C(1) << low));
    return (struct part){address, count, address % PAGE / SHADOW_LINE, bytes, words};
}

static uint32_t first_word(const struct part *part)
{
    return part->address % PAGE / 4;
}

static uint32_t last_word(const struct part *part)
{
    return (part->address % PAGE + part->size - 1) / 4;
}

/* Marks the words of a part. */
static void mark(struct page *page, const struct part *part, uint64_t writer, uint32_t epoch)
{
    page->written[part->line] |= part->bytes;
    for (uint32_t word = first_word(part); word <= last_word(part); word++) {
        page->writer[word] = writer;
        page->epoch[word] = epoch;
    }
}

void shadow_load(struct shadow *shadow, uint32_t address, uint32_t size)
{
    while (size) {
        struct part part = take_part(address, size);
        struct page *page = page_at(shadow, address, true);
        if (page)
            mark(page, &part, 0, 0);
        address += part.size;
        size -= part.size;
    }
}

/* --- the ARM --- */

void shadow_store(struct shadow *shadow, const struct arm_access *access, uint64_t pc)
{
    uint32_t address = (uint32_t)access->address, size = access->size;
    bool ordered = access->memory <= ARM_MEMORY_DEVICE;
    while (size) {
        struct part part = take_part(address, size);
        struct page *page = page_at(shadow, address, true);
        if (page) {
            mark(page, &part, pc, ordered ? 0 : shadow->epoch);
            if (access->memory == ARM_MEMORY_CACHED) {
                page->dirty[part.line] |= part.words;
                page->foreign[part.line] &= (uint16_t)~part.words;
                page->kept |= UINT64_C(1) << part.line;
            }
        }
        address += part.size;
        size -= part.size;
    }
}

bool shadow_read(struct shadow *shadow, const struct arm_access *access, enum shadow_unit *unit)
{
    const struct part part = take_part((uint32_t)access->address, access->size);
    uint64_t line = UINT64_C(1) << part.line;
    struct page *page = access->memory == ARM_MEMORY_CACHED ? page_at(shadow, part.address, true)
                                                            : NULL;
    if (!page)
        return false;
    bool old = page->kept & line && page->foreign[part.line] & part.words;
    if (old || !(page->kept & line))
        page->foreign[part.line] = 0;
    page->kept |= line;
    *unit = (enum shadow_unit)page->unit;
    return old;
}

void shadow_maintain(struct shadow *shadow, unsigned what, uint32_t address, uint32_t size)
{
    if (!size) {
        shadow->cleans++;
        shadow->invalidations += (what & ARM_INVALIDATE) != 0;
        return;
    }
    struct page *page = page_at(shadow, address, false);
    if (!page)
        return;
    uint32_t number = address % PAGE / SHADOW_LINE;
    uint64_t line = UINT64_C(1) << number;
    /* Only a barrier after the maintenance completes it. */
    for (uint32_t i = 0; i < LINE_WORDS; i++)
        if (page->dirty[number] >> i & 1)
            page->epoch[number * LINE_WORDS + i] = shadow->epoch;
    page->dirty[number] = 0;
    if (what & ARM_INVALIDATE) {
        page->kept &= ~line;
        page->foreign[number] = 0;
    }
}

void shadow_barrier(struct shadow *shadow)
{
    if (shadow->epoch != UINT32_MAX)
        shadow->epoch++;
    shadow->after_barrier = shadow->epoch;
}

void shadow_start(struct shadow *shadow, enum shadow_unit unit)
{
    shadow->first[unit] = shadow->after_barrier;
    shadow->last[unit] = shadow->epoch;
    if (shadow->epoch != UINT32_MAX)
        shadow->epoch++;
}

/* --- other units --- */

static enum shadow_fault check_words(const struct shadow *shadow, const struct page *page,
                                     enum shadow_unit unit, const struct part *part, uint32_t *at)
{
    uint32_t first = shadow->first[unit], last = shadow->last[unit];
    for (uint32_t word = first_word(part); word <= last_word(part); word++)
        if (page->epoch[word] && page->epoch[word] >= first && page->epoch[word] <= last) {
            *at = part->address / PAGE * PAGE + word * 4;
            return SHADOW_EARLY;
        }
    return SHADOW_GOOD;
}

/* Returns the address of the first of some words, as bits, in the line of a part. */
static uint32_t word_address(const struct part *part, unsigned words)
{
    return part->address / SHADOW_LINE * SHADOW_LINE + 4 * (uint32_t)__builtin_ctz(words);
}

/* Checks the part of a read that is in one line. */
static enum shadow_fault check_part(struct shadow *shadow, enum shadow_unit unit,
                                    const struct part *part, bool written, uint32_t *at)
{
    const struct page *page = page_at(shadow, part->address, false);
    uint64_t missing = part->bytes & ~(page ? page->written[part->line] : 0);
    *at = part->address;
    if (page && page->dirty[part->line] & part->words) {
        *at = word_address(part, page->dirty[part->line] & part->words);
        return SHADOW_DIRTY;
    }
    if (written && missing && part->address < shadow->checked) {
        *at = part->address / SHADOW_LINE * SHADOW_LINE + (uint32_t)__builtin_ctzll(missing);
        return SHADOW_UNWRITTEN;
    }
    return page ? check_words(shadow, page, unit, part, at) : SHADOW_GOOD;
}

enum shadow_fault shadow_unit_reads(struct shadow *shadow, enum shadow_unit unit, uint32_t address,
                                    uint32_t size, bool written, uint32_t *at)
{
    while (size && address / PAGE < shadow->count) {
        struct part part = take_part(address, size);
        enum shadow_fault fault = check_part(shadow, unit, &part, written, at);
        if (fault)
            return fault;
        address += part.size;
        size -= part.size;
    }
    return SHADOW_GOOD;
}

bool shadow_unit_writes(struct shadow *shadow, enum shadow_unit unit, uint32_t address,
                        uint32_t size, uint32_t *at)
{
    bool found = false;
    while (size && address / PAGE < shadow->count) {
        struct part part = take_part(address, size);
        struct page *page = page_at(shadow, address, true);
        if (page) {
            if (page->dirty[part.line] && !found)
                *at = word_address(&part, page->dirty[part.line]);
            found |= page->dirty[part.line] != 0;
            page->dirty[part.line] = 0;
            if (page->kept >> part.line & 1)
                page->foreign[part.line] |= part.words;
            mark(page, &part, 0, 0);
            page->unit = (uint8_t)unit;
        }
        address += part.size;
        size -= part.size;
    }
    return found;
}

uint64_t shadow_writer(const struct shadow *shadow, uint32_t address)
{
    uint32_t number = address / PAGE;
    const struct page *page = number < shadow->count ? shadow->pages[number] : NULL;
    return page ? page->writer[address % PAGE / 4] : 0;
}

/* --- saved states --- */

static bool has_writers(const struct page *page)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < WORDS; i++)
        all |= page->writer[i] | page->epoch[i];
    return all;
}

static void page_fields(struct state_stream *stream, struct page *page)
{
    bool writers = !state_is_reading(stream) && has_writers(page);
    state_bool(stream, &writers);
    if (writers) {
        state_u64s(stream, page->writer, WORDS);
        state_u32s(stream, page->epoch, WORDS);
    }
    state_u64s(stream, page->written, LINES);
    state_u16s(stream, page->dirty, LINES);
    state_u16s(stream, page->foreign, LINES);
    state_u64(stream, &page->kept);
    state_u32(stream, &page->cleans);
    state_u32(stream, &page->invalidations);
    state_below(stream, &page->unit, SHADOW_UNITS);
}

void shadow_fields(struct state_stream *stream, struct shadow *shadow)
{
    state_u32(stream, &shadow->epoch);
    state_u32(stream, &shadow->after_barrier);
    state_u32s(stream, shadow->first, SHADOW_UNITS);
    state_u32s(stream, shadow->last, SHADOW_UNITS);
    state_u32(stream, &shadow->cleans);
    state_u32(stream, &shadow->invalidations);
    for (uint32_t i = 0; i < shadow->count; i++) {
        bool exists = shadow->pages[i];
        state_bool(stream, &exists);
        if (exists && state_is_reading(stream) && !stream->bad)
            state_allocate(stream, &shadow->pages[i], 1, sizeof *shadow->pages[i]);
        if (shadow->pages[i])
            page_fields(stream, shadow->pages[i]);
    }
}
