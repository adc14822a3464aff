/* SPDX-License-Identifier: MIT */
/* record.c - see record.h.
 *
 * In:  runs, steps and inputs of a machine.
 * Out: states of the machine at intervals, inputs with their times.
 *
 * Choices: when there are too many states, every second one is dropped, and the interval doubles.
 *          Files such as the SD card's image are not part of a state: after going back, a read of
 *          the card finds what was written last. */
#include "cli/pi/record.h"

#include <stdlib.h>
#include <string.h>

#include <tessera/isa.h>

enum { FIRST_INTERVAL = 50000000 /* nanoseconds */, MOST_BYTES = 512 << 20, MOST_INPUTS = 1 << 20 };

static uint64_t now(const struct record *record)
{
    return tess_pi_machine_time(record->machine);
}

uint64_t record_cycles(const struct record *record, unsigned core)
{
    struct tess_pi_core state;
    tess_pi_machine_get_core(record->machine, core, &state);
    return state.cycles;
}

/* --- states --- */

static void drop(struct record *record, unsigned index)
{
    tess_free(record->states[index].bytes);
    record->state_count--;
    memmove(record->states + index, record->states + index + 1,
            (record->state_count - index) * sizeof record->states[0]);
}

static void drop_from(struct record *record, uint64_t time)
{
    while (record->state_count && record->states[record->state_count - 1].time >= time)
        drop(record, record->state_count - 1);
}

static void thin(struct record *record)
{
    size_t bytes = 0;
    for (unsigned i = 0; i < record->state_count; i++)
        bytes += record->states[i].size;
    if (record->state_count < RECORD_STATES && bytes < MOST_BYTES)
        return;
    for (unsigned i = 1; i < record->state_count; i++)
        drop(record, i);
    record->interval *= 2;
}

/* Adds the present state, which is later than the others. */
static void add_state(struct record *record)
{
    thin(record);
    if (record->full || record->state_count == RECORD_STATES)
        return;
    struct record_state *state = &record->states[record->state_count];
    *state = (struct record_state){
        .time = now(record),
        .sent = record->sent,
        .findings = record->findings,
        .next_input = record->next_input,
    };
    for (unsigned i = 0; i < 4; i++)
        state->cycles[i] = record_cycles(record, i);
    if (tess_pi_machine_save(record->machine, &state->bytes, &state->size) == TESS_OK)
        record->state_count++;
    else
        record->full = true;
}

bool record_go(struct record *record, unsigned index)
{
    const struct record_state *state = &record->states[index];
    if (tess_pi_machine_restore(record->machine, state->bytes, state->size) != TESS_OK)
        return false;
    record->sent = state->sent;
    record->findings = state->findings;
    record->next_input = state->next_input;
    return true;
}

void record_open(struct record *record, struct tess_pi_machine *machine)
{
    *record = (struct record){.machine = machine, .interval = FIRST_INTERVAL};
    record->reached = now(record);
    add_state(record);
}

void record_close(struct record *record)
{
    while (record->state_count)
        drop(record, 0);
    free(record->inputs);
}

/* --- outputs --- */

static bool count(uint64_t *present, uint64_t *most)
{
    bool first = ++*present > *most;
    if (first)
        *most = *present;
    return first;
}

bool record_sent(struct record *record)
{
    return count(&record->sent, &record->most_sent);
}

bool record_found(struct record *record)
{
    return count(&record->findings, &record->most_findings);
}

/* --- inputs --- */

bool record_is_new(const struct record *record)
{
    return now(record) >= record->reached && record->next_input == record->input_count;
}

static void apply(struct record *record, const struct record_input *input)
{
    struct tess_pi_machine *machine = record->machine;
    if (input->kind == RECORD_PIN) {
        tess_pi_machine_set_pin(machine, input->value / 2, input->value & 1);
        return;
    }
    tess_pi_machine_send(machine, false, (uint8_t)input->value);
    tess_pi_machine_send(machine, true, (uint8_t)input->value);
}

static bool make_room(struct record *record)
{
    if (record->input_count < record->input_room)
        return true;
    size_t room = record->input_room ? 2 * record->input_room : 64;
    struct record_input *inputs = room <= MOST_INPUTS
                                      ? realloc(record->inputs, room * sizeof *inputs)
                                      : NULL;
    if (!inputs)
        return false;
    record->inputs = inputs;
    record->input_room = room;
    return true;
}

void record_input(struct record *record, enum record_kind kind, uint32_t value)
{
    const struct record_input input = {now(record), kind, value};
    if (make_room(record)) {
        record->inputs[record->input_count++] = input;
        record->next_input = record->input_count;
    }
    apply(record, &input);
}

void record_change(struct record *record)
{
    record->input_count = record->next_input;
    record->reached = now(record);
    record->most_sent = record->sent;
    record->most_findings = record->findings;
    record->changed = true;
}

/* --- runs --- */

/* Gives the inputs that are due. */
static void apply_due(struct record *record)
{
    while (record->next_input < record->input_count &&
           record->inputs[record->next_input].time <= now(record))
        apply(record, &record->inputs[record->next_input++]);
}

/* Runs to a time, or to the next input. */
static enum tess_pi_end_reason run_part(struct record *record, uint64_t until)
{
    if (record->next_input < record->input_count && record->inputs[record->next_input].time < until)
        until = record->inputs[record->next_input].time;
    enum tess_pi_end_reason reason = tess_pi_machine_run(record->machine, until);
    if (reason == TESS_PI_END_TIME)
        apply_due(record);
    return reason;
}

enum tess_pi_end_reason record_replay(struct record *record, uint64_t until)
{
    enum tess_pi_end_reason reason = TESS_PI_END_TIME;
    while (reason == TESS_PI_END_TIME && now(record) < until)
        reason = run_part(record, until);
    return reason;
}

/* Keeps the state before the machine goes on, if the user has changed it. */
static void keep_change(struct record *record)
{
    if (!record->changed)
        return;
    record->changed = false;
    drop_from(record, now(record));
    add_state(record);
}

/* Notes how far the machine has come. Adds a state at the end of each interval. */
static void note_time(struct record *record)
{
    uint64_t time = now(record);
    uint64_t last = record->state_count ? record->states[record->state_count - 1].time : 0;
    if (time < record->reached)
        return;
    record->reached = time;
    if (time >= last + record->interval)
        add_state(record);
}

enum tess_pi_end_reason record_run(struct record *record, uint64_t until)
{
    enum tess_pi_end_reason reason = TESS_PI_END_TIME;
    keep_change(record);
    while (reason == TESS_PI_END_TIME && now(record) < until) {
        uint64_t next = now(record) + record->interval / 2;
        reason = run_part(record, next < until ? next : until);
        note_time(record);
    }
    return reason;
}

enum tess_pi_end_reason record_step(struct record *record, unsigned core)
{
    keep_change(record);
    enum tess_pi_end_reason reason = tess_pi_machine_step(record->machine, core, true);
    apply_due(record);
    note_time(record);
    return reason;
}

/* --- watchpoints --- */

static bool is_same_watch(const struct record_watch *watch, enum record_watched kind,
                          uint64_t address, size_t size)
{
    return watch->kind == kind && watch->address == address && watch->size == size;
}

/* Makes steps store what they access, if there are watchpoints of reads. */
static void note_accesses(const struct record *record)
{
    bool reads = false;
    for (unsigned i = 0; i < record->watch_count; i++)
        reads |= record->watches[i].kind != RECORD_WRITES;
    for (unsigned i = 0; i < tess_pi_machine_core_count(record->machine); i++)
        tess_pi_machine_note_accesses(record->machine, i, reads);
}

/* Adds a watchpoint. */
static bool add_watch(struct record *record, enum record_watched kind, unsigned core,
                      uint64_t address, size_t size)
{
    if (record->watch_count == RECORD_WATCHES || !size || size > RECORD_WATCHED)
        return false;
    struct record_watch *watch = &record->watches[record->watch_count];
    *watch = (struct record_watch){.kind = kind, .core = core, .address = address, .size = size};
    if (tess_pi_machine_peek(record->machine, core, address, watch->bytes, size) != size)
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
    bool found = at < record->watch_count, good = true;
    if (found && !set)
        record->watches[at] = record->watches[--record->watch_count];
    if (!found && set)
        good = add_watch(record, kind, core, address, size);
    note_accesses(record);
    return good;
}

static bool overlaps(const struct record_watch *watch, const struct tess_pi_range *range)
{
    return range->first <= range->last && range->first <= watch->address + watch->size - 1 &&
           range->last >= watch->address;
}

const struct record_watch *record_accessed_watch(const struct record *record, unsigned core)
{
    struct tess_pi_range read, written;
    tess_pi_machine_get_accesses(record->machine, core, &read, &written);
    for (unsigned i = 0; i < record->watch_count; i++) {
        const struct record_watch *watch = &record->watches[i];
        if ((watch->kind != RECORD_WRITES && overlaps(watch, &read)) ||
            (watch->kind == RECORD_ACCESSES && overlaps(watch, &written)))
            return watch;
    }
    return NULL;
}

const struct record_watch *record_changed_watch(struct record *record)
{
    const struct record_watch *changed = NULL;
    for (unsigned i = 0; i < record->watch_count; i++) {
        struct record_watch *watch = &record->watches[i];
        uint8_t bytes[RECORD_WATCHED] = {0};
        tess_pi_machine_peek(record->machine, watch->core, watch->address, bytes, watch->size);
        if (memcmp(bytes, watch->bytes, watch->size) == 0)
            continue;
        memcpy(watch->bytes, bytes, sizeof bytes);
        if (watch->kind != RECORD_READS)
            changed = watch;
    }
    return changed;
}
