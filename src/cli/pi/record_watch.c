/* SPDX-License-Identifier: MIT */
/* record_watch.c - watchpoints.
 *
 * In:  ranges of memory.
 * Out: which block of instructions, or which work of peripherals, has met one.
 *
 * The memory of a watchpoint of writes is compared after each block and after peripherals have
 * worked, so that writes of all units count; a write of the same value does not. For reads, the
 * accesses of the cores' instructions count. */
#include "cli/pi/record.h"

#include <string.h>

static bool is_same_watch(const struct record_watch *watch, enum record_watched kind,
                          uint64_t address, size_t size)
{
    return watch->kind == kind && watch->address == address && watch->size == size;
}

/* Makes the cores note their accesses to the memory of a watchpoint of reads, or ends this. */
static bool note_accesses(struct record *record, const struct record_watch *watch, bool notes)
{
    const struct tess_pi_range range = {watch->address, watch->address + watch->size - 1};
    bool other = false;
    for (unsigned i = 0; i < record->watch_count; i++)
        other |= &record->watches[i] != watch && record->watches[i].kind != RECORD_WRITES &&
                 record->watches[i].address == watch->address &&
                 record->watches[i].size == watch->size;
    return watch->kind == RECORD_WRITES || other ||
           tess_pi_machine_note_accesses(record->machine, &range, notes);
}

/* Adds a watchpoint. */
static bool add_watch(struct record *record, enum record_watched kind, unsigned core,
                      uint64_t address, size_t size)
{
    if (record->watch_count == RECORD_WATCHES || !size || size > RECORD_WATCHED)
        return false;
    struct record_watch *watch = &record->watches[record->watch_count];
    *watch = (struct record_watch){.kind = kind, .core = core, .address = address, .size = size};
    if (tess_pi_machine_peek(record->machine, core, address, watch->bytes, size) != size ||
        !note_accesses(record, watch, true))
        return false;
    record->watch_count++;
    return true;
}

bool record_watch(struct record *record, enum record_watched kind, unsigned core, uint64_t address,
                  size_t size, bool set)
{
    unsigned at = 0;
    while (at < record->watch_count && !is_same_watch(&record->watches[at], kind, address, size))
        at++;
    bool found = at < record->watch_count;
    if (found && !set) {
        note_accesses(record, &record->watches[at], false);
        record->watches[at] = record->watches[--record->watch_count];
    }
    return found || !set || add_watch(record, kind, core, address, size);
}

/* --- looks --- */

static bool overlaps(const struct record_watch *watch, const struct tess_pi_range *range)
{
    return range->first <= range->last && range->first <= watch->address + watch->size - 1 &&
           range->last >= watch->address;
}

/* Returns true if a core's instructions have made an access that a watchpoint watches. */
static bool is_accessed(const struct record *record, const struct record_watch *watch)
{
    bool met = false;
    for (unsigned i = 0; i < tess_pi_machine_core_count(record->machine); i++) {
        struct tess_pi_range read, written;
        tess_pi_machine_get_accesses(record->machine, i, &read, &written);
        met |= watch->kind != RECORD_WRITES && overlaps(watch, &read);
        met |= watch->kind == RECORD_ACCESSES && overlaps(watch, &written);
    }
    return met;
}

/* Stores the present memory of a watchpoint. Returns true if the memory has changed. */
static bool has_changed(const struct record *record, struct record_watch *watch)
{
    uint8_t bytes[RECORD_WATCHED] = {0};
    tess_pi_machine_peek(record->machine, watch->core, watch->address, bytes, watch->size);
    bool changed = memcmp(bytes, watch->bytes, watch->size) != 0;
    memcpy(watch->bytes, bytes, sizeof bytes);
    return changed && watch->kind != RECORD_READS;
}

/* Looks at a watchpoint. Returns true if it was met since the last look. */
static bool is_met(const struct record *record, struct record_watch *watch)
{
    bool changed = has_changed(record, watch);
    return changed || is_accessed(record, watch);
}

const struct record_watch *record_met_watch(struct record *record)
{
    const struct record_watch *met = NULL;
    for (unsigned i = 0; i < record->watch_count; i++)
        if (is_met(record, &record->watches[i]))
            met = &record->watches[i];
    if (met)
        tess_pi_machine_forget_accesses(record->machine);
    return met;
}

void record_look(struct record *record)
{
    record_met_watch(record);
    tess_pi_machine_forget_accesses(record->machine);
    record->checked = tess_pi_machine_place(record->machine).count;
}

/* Called between blocks. */
static bool look(void *user)
{
    struct record *record = user;
    const struct tess_pi_place place = tess_pi_machine_place(record->machine);
    uint64_t from = record->checked;
    record->checked = place.count;
    const struct record_watch *watch = record_met_watch(record);
    if (watch)
        record->hit = (struct record_hit){from, place.count, place.cycles, watch};
    return watch;
}

bool record_look_at_rest(struct record *record)
{
    return record->watch_count && record->checked < tess_pi_machine_place(record->machine).count &&
           look(record);
}

void record_begin_watching(struct record *record)
{
    if (!record->watch_count)
        return;
    record_look(record);
    tess_pi_machine_watch(record->machine, look, record);
}

void record_end_watching(struct record *record)
{
    tess_pi_machine_watch(record->machine, NULL, NULL);
}
