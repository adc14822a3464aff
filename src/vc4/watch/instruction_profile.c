/* SPDX-License-Identifier: MIT */
/* instruction_profile.c - see instruction_profile.h.
 *
 * Choices:  a run of consecutive instructions is counted by an increment at its start and a
 *           decrement after its end, so that the cost does not depend on the run's length. Words
 *           are compared, because a program may replace another program at the same address.
 * Left out: counts for which the host has no memory; code beyond 16384 pages. */
#include "vc4/watch/instruction_profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/state.h"

enum {
    WORD = 8,
    PAGE_BYTES = PROFILE_PAGE * WORD,
    MOST_PAGES = 16384,
    FIRST_SLOTS = 64,
};

/* --- pages --- */

static uint32_t hash(struct profile_program program, uint32_t base)
{
    uint32_t key = base / PAGE_BYTES ^ program.shader * UINT32_C(40503) ^ (uint32_t)program.kind ^
                   (uint32_t)program.code;
    return (key * UINT32_C(2654435761)) >> 8; /* Knuth's multiplicative hash */
}

static struct profile_program program_of(const struct profile_page *page)
{
    return (struct profile_program){page->kind, page->shader, page->code};
}

static bool is_page(const struct profile_page *page, struct profile_program program, uint32_t base)
{
    return page->base == base && page->shader == program.shader && page->kind == program.kind &&
           page->code == program.code;
}

/* Returns the slot that refers to the first version of a page. If there is no version, returns the
 * free slot for the page. */
static uint32_t *slot_of(const struct instruction_profile *insn_profile,
                         struct profile_program program, uint32_t base)
{
    uint32_t mask = insn_profile->slots - 1, at = hash(program, base) & mask;
    while (insn_profile->slot[at] &&
           !is_page(&insn_profile->page[insn_profile->slot[at] - 1], program, base))
        at = (at + 1) & mask;
    return &insn_profile->slot[at];
}

/* Makes room for another page. Returns false if there are MOST_PAGES pages, or if the host is out
 * of memory. */
static bool grow(struct instruction_profile *insn_profile)
{
    if (insn_profile->count < insn_profile->room)
        return true;
    if (insn_profile->count >= MOST_PAGES)
        return false;
    uint32_t room = insn_profile->room ? insn_profile->room * 2 : FIRST_SLOTS / 2, slots = room * 2;
    struct profile_page *page = realloc(insn_profile->page, room * sizeof *page);
    if (!page)
        return false;
    insn_profile->page = page;
    uint32_t *slot = calloc(slots, sizeof *slot);
    if (!slot)
        return false;
    free(insn_profile->slot);
    insn_profile->slot = slot;
    insn_profile->slots = slots;
    insn_profile->room = room;
    for (uint32_t i = 0; i < insn_profile->count; i++) {
        const struct profile_program program = program_of(&page[i]);
        uint32_t *place = slot_of(insn_profile, program, page[i].base);
        if (*place == 0) /* a slot refers to the first version, whose .other leads to the rest */
            *place = i + 1;
    }
    return true;
}

static struct profile_page *add_page(struct instruction_profile *insn_profile,
                                     struct profile_program program, uint32_t base)
{
    if (!grow(insn_profile))
        return NULL;
    struct profile_page *page = &insn_profile->page[insn_profile->count++];
    memset(page, 0, sizeof *page);
    page->kind = program.kind;
    page->shader = program.shader;
    page->code = program.code;
    page->base = base;
    return page;
}

/* Returns true if a page contains `count` words from index `first` on. */
static bool has(const struct profile_page *page, uint32_t first, const uint64_t *words,
                uint32_t count)
{
    uint64_t all = UINT64_MAX >> (PROFILE_PAGE - count);
    return (page->known >> first & all) == all &&
           memcmp(&page->word[first], words, count * sizeof *words) == 0;
}

/* Returns true if no known word of the page differs from the known word of `words` that belongs at
 * the same index. */
static bool agrees(const struct profile_page *page, uint32_t first, const uint64_t *words,
                   uint64_t known, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if ((page->known >> (first + i) & known >> i & 1) && page->word[first + i] != words[i])
            return false;
    return true;
}

static void note_words(struct profile_page *page, uint32_t first, const uint64_t *words,
                       uint64_t known, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!(known >> i & 1))
            continue;
        page->word[first + i] = words[i];
        page->known |= UINT64_C(1) << (first + i);
    }
}

/* Returns the version of a page that contains `words` from index `first` on. Adds the words to a
 * version, or adds a version, if necessary. Returns NULL if there is no room. */
static struct profile_page *find(struct instruction_profile *insn_profile,
                                 struct profile_program program, uint32_t base, uint32_t first,
                                 const uint64_t *words, uint64_t known, uint32_t count)
{
    uint32_t place = insn_profile->slots ? *slot_of(insn_profile, program, base) : 0, last = 0;
    for (; place; place = insn_profile->page[place - 1].other) {
        struct profile_page *page = &insn_profile->page[place - 1];
        last = place;
        if (has(page, first, words, count))
            return page;
        if (!agrees(page, first, words, known, count))
            continue;
        note_words(page, first, words, known, count);
        return page;
    }
    struct profile_page *page = add_page(insn_profile, program, base);
    if (!page)
        return NULL;
    if (last)
        insn_profile->page[last - 1].other = insn_profile->count;
    else
        *slot_of(insn_profile, program, base) = insn_profile->count;
    note_words(page, first, words, known, count);
    return page;
}

/* --- counting --- */

static uint32_t index_of(uint32_t address)
{
    return address % PAGE_BYTES / WORD;
}

void instruction_profile_count(struct instruction_profile *insn_profile,
                               struct profile_program program, uint32_t address,
                               const uint64_t *words, uint32_t count)
{
    while (count) {
        uint32_t first = index_of(address), some = least_u32(count, PROFILE_PAGE - first);
        struct profile_page *page = find(insn_profile, program,
                                         address & ~(uint32_t)(PAGE_BYTES - 1), first, words,
                                         UINT64_MAX, some);
        if (page) {
            page->change[first]++;
            if (first + some < PROFILE_PAGE)
                page->change[first + some]--;
        }
        address += some * WORD;
        words += some;
        count -= some;
    }
}

void instruction_profile_stall(struct instruction_profile *insn_profile,
                               struct profile_program program, uint32_t address, uint64_t word,
                               enum tess_vc4_stall cause, uint64_t clocks)
{
    uint32_t index = index_of(address);
    struct profile_page *page = find(insn_profile, program, address & ~(uint32_t)(PAGE_BYTES - 1),
                                     index, &word, UINT64_MAX, 1);
    if (page)
        page->stall[index][cause] += clocks;
}

void instruction_profile_merge(struct instruction_profile *insn_profile,
                               const struct instruction_profile *other)
{
    for (uint32_t i = 0; i < other->count; i++) {
        const struct profile_page *from = &other->page[i];
        struct profile_page *to = find(insn_profile, program_of(from), from->base, 0, from->word,
                                       from->known, PROFILE_PAGE);
        for (uint32_t n = 0; to && n < PROFILE_PAGE; n++) {
            to->change[n] += from->change[n];
            for (unsigned cause = 0; cause < TESS_VC4_STALLS; cause++)
                to->stall[n][cause] += from->stall[n][cause];
        }
    }
}

void instruction_profile_clear(struct instruction_profile *insn_profile)
{
    insn_profile->count = 0;
    if (insn_profile->slots)
        memset(insn_profile->slot, 0, insn_profile->slots * sizeof *insn_profile->slot);
}

void instruction_profile_free(struct instruction_profile *insn_profile)
{
    free(insn_profile->page);
    free(insn_profile->slot);
    *insn_profile = (struct instruction_profile){0};
}

/* --- rows --- */

static int compare(const void *left, const void *right)
{
    const struct tess_vc4_hot *one = left, *other = right;
    if (one->kind != other->kind)
        return one->kind < other->kind ? -1 : 1;
    if (one->shader != other->shader)
        return one->shader < other->shader ? -1 : 1;
    if (one->code != other->code)
        return one->code < other->code ? -1 : 1;
    if (one->address != other->address)
        return one->address < other->address ? -1 : 1;
    return one->word == other->word ? 0 : one->word < other->word ? -1 : 1;
}

/* Appends the instructions of a page to rows. Returns the new number of rows. */
static size_t add_rows(struct tess_vc4_hot *rows, size_t count, const struct profile_page *page)
{
    uint64_t executed = 0;
    for (uint32_t i = 0; i < PROFILE_PAGE; i++) {
        executed += page->change[i];
        if (!(page->known >> i & 1))
            continue;
        struct tess_vc4_hot *row = &rows[count++];
        *row = (struct tess_vc4_hot){
            .kind = page->kind,
            .shader = page->shader,
            .code = page->code,
            .address = page->base + i * WORD,
            .word = page->word[i],
            .executed = executed,
        };
        memcpy(row->stalls, page->stall[i], sizeof row->stalls);
    }
    return count;
}

/* Merges rows of the same instruction. Returns the new number of rows. */
static size_t join(struct tess_vc4_hot *rows, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        struct tess_vc4_hot *row = &rows[kept];
        if (kept == 0 || compare(row - 1, &rows[i]) != 0) {
            *row = rows[i];
            kept++;
            continue;
        }
        row[-1].executed += rows[i].executed;
        for (unsigned cause = 0; cause < TESS_VC4_STALLS; cause++)
            row[-1].stalls[cause] += rows[i].stalls[cause];
    }
    return kept;
}

struct tess_vc4_hot *instruction_profile_rows(const struct instruction_profile *insn_profile,
                                              size_t *count)
{
    *count = 0;
    for (uint32_t i = 0; i < insn_profile->count; i++)
        *count += (size_t)__builtin_popcountll(insn_profile->page[i].known);
    struct tess_vc4_hot *rows = *count ? malloc(*count * sizeof *rows) : NULL;
    if (!rows)
        return NULL;
    size_t filled = 0;
    for (uint32_t i = 0; i < insn_profile->count; i++)
        filled = add_rows(rows, filled, &insn_profile->page[i]);
    qsort(rows, filled, sizeof *rows, compare);
    *count = join(rows, filled);
    return rows;
}

/* --- saved states --- */

enum { LEAST_PAGE = 4 + 8 + 3 * 4 + 8 + 8 + PROFILE_PAGE * 8 }; /* bytes of a page in a state */

/* Returns, as bits, the instructions of a page that have stalls. */
static uint64_t stalled(const struct profile_page *page)
{
    uint64_t all = 0;
    for (unsigned i = 0; i < PROFILE_PAGE; i++)
        for (unsigned cause = 0; cause < TESS_VC4_STALLS; cause++)
            all |= (uint64_t)(page->stall[i][cause] != 0) << i;
    return all;
}

/* Lists a page. The versions of a page are in the order in which they were added. */
static void page_fields(struct state_stream *stream, struct profile_page *page, uint32_t number,
                        uint32_t count)
{
    uint64_t stalls = stalled(page);
    state_enum(stream, &page->kind, TESS_VC4_COORDINATE + 1);
    STATE_FIELDS(stream, &page->code, &page->shader, &page->base);
    state_in(stream, &page->other, 0, count);
    state_require(stream, page->other == 0 || page->other > number + 1);
    state_u64(stream, &page->known);
    for (unsigned i = 0; i < PROFILE_PAGE; i++)
        if (page->known >> i & 1)
            state_u64(stream, &page->word[i]);
    state_u64s(stream, page->change, PROFILE_PAGE);
    state_u64(stream, &stalls);
    for (unsigned i = 0; i < PROFILE_PAGE; i++)
        if (stalls >> i & 1)
            state_u64s(stream, page->stall[i], TESS_VC4_STALLS);
    state_require(stream, stalls == stalled(page));
}

/* Adds a page that has been read to the hash table, unless it is a later version of a page. */
static void hash_page(struct instruction_profile *insn_profile, uint32_t number)
{
    const struct profile_page *page = &insn_profile->page[number];
    uint32_t *slot = slot_of(insn_profile, program_of(page), page->base);
    if (*slot == 0)
        *slot = number + 1;
}

void instruction_profile_fields(struct state_stream *stream,
                                struct instruction_profile *insn_profile)
{
    uint32_t count = state_count(stream, insn_profile->count, MOST_PAGES, LEAST_PAGE);
    for (uint32_t i = 0; i < count; i++) {
        if (state_is_reading(stream) && !add_page(insn_profile, (struct profile_program){0}, 0)) {
            stream->no_memory = stream->bad = true;
            return;
        }
        page_fields(stream, &insn_profile->page[i], i, count);
        if (state_is_reading(stream))
            hash_page(insn_profile, i);
    }
}
