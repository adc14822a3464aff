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

#include "base/array.h"

enum { FIRST_INTERVAL = 50000000 /* nanoseconds */, MOST_BYTES = 512 << 20, MOST_INPUTS = 1 << 20 };

struct record_place record_place(const struct record *record)
{
    return (struct record_place){tess_pi_machine_place(record->machine), record->carried_out};
}

/* Returns true if a place is before another one. */
static bool is_before(const struct record_place *a, const struct record_place *b)
{
    if (a->machine.count != b->machine.count)
        return a->machine.count < b->machine.count;
    return a->machine.cycles < b->machine.cycles;
}

/* --- states --- */

static void drop(struct record *record, unsigned index)
{
    tess_free(record->states[index].bytes);
    record->state_count--;
    memmove(record->states + index, record->states + index + 1,
            (record->state_count - index) * sizeof record->states[0]);
}

static void drop_from(struct record *record, const struct record_place *place)
{
    while (record->state_count && !is_before(&record->states[record->state_count - 1].place, place))
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
        if (!record->states[i].changed || record->state_count == RECORD_STATES)
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
        .place = record_place(record),
        .changed = record->changed,
        .sent = record->sent,
        .findings = record->findings,
        .next_input = record->next_input,
    };
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
    record->carried_out = state->place.carried_out;
    record->changed = false;
    return true;
}

void record_open(struct record *record, struct tess_pi_machine *machine)
{
    *record = (struct record){.machine = machine, .interval = FIRST_INTERVAL};
    record->reached = record_place(record);
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
    const struct record_place place = record_place(record);
    return !is_before(&place, &record->reached) && record->next_input == record->input_count;
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

void record_input(struct record *record, enum record_kind kind, uint32_t value)
{
    const struct record_input input = {record_place(record).machine.cycles, kind, value};
    if (record->input_count < MOST_INPUTS && ARRAY_GROW(record->inputs, record->input_count)) {
        record->inputs[record->input_count++] = input;
        record->next_input = record->input_count;
    }
    apply(record, &input);
}

void record_change(struct record *record)
{
    record->input_count = record->next_input;
    record->reached = record_place(record);
    record->most_sent = record->sent;
    record->most_findings = record->findings;
    record->changed = true;
}

/* --- runs --- */

/* Gives the inputs that are due. Inputs come between turns. */
static void apply_due(struct record *record)
{
    const struct tess_pi_place place = tess_pi_machine_place(record->machine);
    while (!place.in_turn && record->next_input < record->input_count &&
           record->inputs[record->next_input].cycles <= place.cycles)
        apply(record, &record->inputs[record->next_input++]);
}

/* Returns the index of the next state that the user has changed, or the number of states. */
static unsigned next_change(const struct record *record)
{
    uint64_t count = record_place(record).machine.count;
    unsigned index = 0;
    while (index < record->state_count &&
           (!record->states[index].changed || record->states[index].place.machine.count <= count))
        index++;
    return index;
}

/* Runs to a goal, to the next input, or to the next change of the user. */
static enum tess_pi_end_reason run_part(struct record *record, struct tess_pi_goal *goal)
{
    struct tess_pi_goal part = *goal;
    apply_due(record);
    unsigned change = next_change(record);
    uint64_t count = change < record->state_count ? record->states[change].place.machine.count
                                                  : UINT64_MAX;
    bool changes = count <= goal->count && count != UINT64_MAX;
    if (record->next_input < record->input_count &&
        record->inputs[record->next_input].cycles < part.cycles)
        part.cycles = record->inputs[record->next_input].cycles;
    if (changes) {
        part.count = count;
        part.early = true;
    }
    record->carried_out = false;
    enum tess_pi_end_reason reason = tess_pi_machine_run_to(record->machine, &part);
    record->carried_out = reason == TESS_PI_END_WATCH && record->hit.from == record->hit.count;
    goal->stepped = part.stepped;
    goal->reached = part.reached;
    if (changes && part.reached && record_place(record).machine.count >= count) {
        goal->reached = goal->steps;
        record_go(record, change);
    }
    return reason;
}

/* Returns true if a run has reached its goal. */
static bool is_at(const struct record *record, const struct tess_pi_goal *goal)
{
    const struct tess_pi_place place = tess_pi_machine_place(record->machine);
    return goal->reached || (!place.in_turn && place.cycles >= goal->cycles) ||
           (goal->early && place.count >= goal->count);
}

enum tess_pi_end_reason record_move(struct record *record, struct tess_pi_goal *goal)
{
    enum tess_pi_end_reason reason = TESS_PI_END_TIME;
    do
        reason = run_part(record, goal);
    while (reason == TESS_PI_END_TIME && !is_at(record, goal));
    if (reason == TESS_PI_END_TIME)
        apply_due(record);
    return reason;
}

void record_keep_change(struct record *record)
{
    if (!record->changed)
        return;
    const struct record_place place = record_place(record);
    drop_from(record, &place);
    add_state(record);
    record->changed = false;
}

void record_note_place(struct record *record)
{
    const struct record_place place = record_place(record);
    if (is_before(&place, &record->reached))
        return;
    record->reached = place;
    const struct record_state *last = record->state_count ? &record->states[record->state_count - 1]
                                                          : NULL;
    uint64_t interval = tess_pi_machine_cycles_at(record->machine, record->interval);
    if (!last || (is_before(&last->place, &place) && !place.machine.in_turn &&
                  place.machine.cycles >= last->place.machine.cycles + interval))
        add_state(record);
}
