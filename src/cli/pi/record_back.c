/* SPDX-License-Identifier: MIT */
/* record_back.c - goes back in a record: restores a state before, and runs again.
 *
 * In:  the states and inputs of a record.
 * Out: the machine at an earlier place.
 *
 * A run from a state executes the same instructions of all cores in the same order, whatever stops
 * it. So the number of instructions that all cores have executed selects a place: the one where a
 * core is about to execute the next instruction. Between two instructions, while the cores wait,
 * the board's cycles select it. */
#include "cli/pi/record.h"

#include <tessera/isa.h>

enum { NEAR = 20000 /* cycles before a place, from where instructions are counted */ };

/* Runs to a goal, past breakpoints. Returns false if the machine cannot continue. */
static bool run_past(struct record *record, struct tess_pi_goal *goal)
{
    enum tess_pi_end_reason reason;
    do
        reason = record_move(record, goal);
    while (reason == TESS_PI_END_BREAKPOINT);
    return reason == TESS_PI_END_TIME;
}

/* Runs until `count` instructions are executed. If early is false, to the place before the next
 * one. */
static bool run_to_count(struct record *record, uint64_t count, bool early)
{
    struct tess_pi_goal goal = {.cycles = UINT64_MAX, .count = count, .early = early};
    return run_past(record, &goal);
}

static bool run_to_cycle(struct record *record, uint64_t cycles)
{
    struct tess_pi_goal goal = {.cycles = cycles, .count = UINT64_MAX};
    return run_past(record, &goal);
}

/* Returns the number of states that are not after a count of instructions. */
static unsigned count_states(const struct record *record, uint64_t count)
{
    unsigned index = record->state_count;
    while (index && record->states[index - 1].place.machine.count > count)
        index--;
    return index;
}

/* Goes to a count of instructions from the latest state. Runs fast up to a cycle that may be too
 * late. */
static bool go_to_count(struct record *record, uint64_t count, bool early, uint64_t cycles)
{
    unsigned states = count_states(record, count);
    if (!states || !record_go(record, states - 1))
        return false;
    if (cycles > record_place(record).machine.cycles) {
        run_to_cycle(record, cycles);
        if (record_place(record).machine.count > count && !record_go(record, states - 1))
            return false;
    }
    return run_to_count(record, count, early);
}

bool record_seek(struct record *record, uint64_t count)
{
    uint64_t cycles = record_place(record).machine.cycles;
    return go_to_count(record, count, false, cycles > NEAR ? cycles - NEAR : 0);
}

static void go_to_beginning(struct record *record)
{
    if (record->state_count)
        record_go(record, 0);
}

bool record_step_back(struct record *record, unsigned core)
{
    struct tess_pi_core state;
    tess_pi_machine_get_core(record->machine, core, &state);
    if (state.latest && record_seek(record, state.latest - 1))
        return true;
    go_to_beginning(record);
    return false;
}

/* --- watchpoints --- */

/* Goes to the place before the block or the peripheral's work of .hit. */
static void go_before_hit(struct record *record)
{
    const struct record_hit hit = record->hit;
    bool device = hit.from == hit.count;
    go_to_count(record, hit.from, device, hit.cycles > NEAR ? hit.cycles - NEAR : 0);
    if (device)
        run_to_cycle(record, hit.cycles);
    record_look(record);
}

struct record_stop record_go_to_hit(struct record *record)
{
    const struct record_hit hit = record->hit;
    const struct record_watch *watch = NULL;
    struct tess_pi_goal goal = {.cycles = hit.cycles + 1, .count = hit.count};
    go_before_hit(record);
    for (uint64_t count = hit.from; !watch && count < hit.count; count++) {
        run_to_count(record, count + 1, true);
        watch = record_met_watch(record);
    }
    if (hit.from == hit.count) {
        record_begin_watching(record);
        record_move(record, &goal);
        record_end_watching(record);
        watch = hit.watch;
    }
    return (struct record_stop){tess_pi_machine_get_end(record->machine)->core, watch};
}

/* Goes to the place before the last instruction of .hit that meets a watchpoint, or before the
 * peripheral's work. Stores the stop. */
static void go_before_last(struct record *record, struct record_stop *stop)
{
    const struct record_hit hit = record->hit;
    uint64_t place = hit.from;
    go_before_hit(record);
    for (uint64_t count = hit.from; count < hit.count; count++) {
        run_to_count(record, count + 1, true);
        const struct record_watch *met = record_met_watch(record);
        if (!met)
            continue;
        place = count;
        stop->watch = met;
    }
    if (hit.from == hit.count)
        go_before_hit(record);
    else
        go_to_count(record, place, false, hit.cycles > NEAR ? hit.cycles - NEAR : 0);
    stop->core = tess_pi_machine_get_end(record->machine)->core;
}

/* --- runs back --- */

/* The latest stops in a part of the run. */
struct stops {
    struct record_hit hit;
    uint64_t count, cycles; /* of the latest breakpoint */
    bool has_hit, has_breakpoint;
};

static void note_hit(struct record *record, struct stops *stops)
{
    stops->hit = record->hit;
    stops->has_hit = true;
}

/* Runs to a goal, and notes the stops. */
static void note_stops(struct record *record, struct tess_pi_goal *goal, struct stops *stops)
{
    enum tess_pi_end_reason reason;
    do {
        reason = record_move(record, goal);
        const struct tess_pi_place place = tess_pi_machine_place(record->machine);
        if (reason == TESS_PI_END_WATCH)
            note_hit(record, stops);
        if (reason != TESS_PI_END_BREAKPOINT)
            continue;
        stops->has_breakpoint = true;
        stops->count = place.count;
        stops->cycles = place.cycles;
    } while (reason == TESS_PI_END_BREAKPOINT || reason == TESS_PI_END_WATCH);
}

/* Runs from a state to a place, and notes the stops before the place. */
static struct stops find_stops(struct record *record, unsigned state,
                               const struct record_place *end)
{
    const struct tess_pi_place *place = &end->machine;
    struct stops stops = {0};
    struct tess_pi_goal first = {.cycles = UINT64_MAX, .count = place->count, .early = true};
    struct tess_pi_goal second = {.cycles = place->cycles + end->carried_out,
                                  .count = place->count};
    if (!record_go(record, state))
        return stops;
    record_begin_watching(record);
    if (record_place(record).machine.count < place->count)
        note_stops(record, &first, &stops);
    if (!place->in_turn)
        note_stops(record, &second, &stops);
    if (record_look_at_rest(record))
        note_hit(record, &stops);
    record_end_watching(record);
    return stops;
}

/* Goes to the latest stop after a state and before a place. Returns false if there is none. */
static bool go_to_stop(struct record *record, unsigned state, const struct record_place *end,
                       struct record_stop *stop)
{
    const struct stops stops = find_stops(record, state, end);
    *stop = (struct record_stop){0};
    if (stops.has_hit) {
        record->hit = stops.hit;
        stop->watch = stops.hit.watch;
        go_before_last(record, stop);
    }
    if (stops.has_breakpoint &&
        (!stops.has_hit || stops.count > record_place(record).machine.count)) {
        go_to_count(record, stops.count, false, stops.cycles > NEAR ? stops.cycles - NEAR : 0);
        *stop = (struct record_stop){.core = tess_pi_machine_get_end(record->machine)->core};
    }
    return stops.has_hit || stops.has_breakpoint;
}

bool record_run_back(struct record *record, struct record_stop *stop)
{
    struct record_place end = record_place(record);
    unsigned states = count_states(record, end.machine.count);
    for (; states; states--) {
        if (go_to_stop(record, states - 1, &end, stop))
            return true;
        end = record->states[states - 1].place;
    }
    go_to_beginning(record);
    return false;
}

/* Goes to a place from the beginning, past all stops. */
static void run_to_place(struct record *record, const struct record_place *place)
{
    run_to_count(record, place->machine.count, true);
    if (!place->machine.in_turn)
        run_to_cycle(record, place->machine.cycles);
}

bool record_repeat(struct record *record, bool (*begin)(void *user), bool (*end)(void *user),
                   void *user)
{
    const struct record before = *record;
    const struct record_place place = record_place(record);
    uint8_t *state;
    size_t size;
    if (!record->state_count || tess_pi_machine_save(record->machine, &state, &size) != TESS_OK)
        return false;
    bool good = record_go(record, 0) && begin(user);
    if (good) {
        run_to_place(record, &place);
        good = end(user);
    }
    good &= tess_pi_machine_restore(record->machine, state, size) == TESS_OK;
    tess_free(state);
    *record = before;
    return good;
}
