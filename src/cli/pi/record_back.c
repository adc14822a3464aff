/* SPDX-License-Identifier: MIT */
/* record_back.c - goes back in a record: restores a state before, and runs again.
 *
 * In:  the states and inputs of a record.
 * Out: the machine at an earlier moment.
 *
 * A run ends between blocks of instructions, where it also takes interrupts. So the machine runs
 * block by block up to the last block before the moment, and instruction by instruction inside it,
 * without interrupts, as it did before.
 *
 * Choices: a program that the user has stepped through may have taken an interrupt inside of a
 *          block. Then the way back shows the interrupt at the block's end. */
#include "cli/pi/record.h"

#include <tessera/isa.h>

enum { NEAR = 5000 /* nanoseconds before the moment, from where blocks are counted */ };

static uint64_t now(const struct record *record)
{
    return tess_pi_machine_time(record->machine);
}

/* Runs to a time, past breakpoints. Returns false if the machine cannot go on. */
static bool run_past(struct record *record, uint64_t until)
{
    enum tess_pi_end_reason reason = TESS_PI_END_TIME;
    while (now(record) < until && (reason == TESS_PI_END_TIME || reason == TESS_PI_END_BREAKPOINT))
        reason = record_replay(record, until);
    return reason == TESS_PI_END_TIME || reason == TESS_PI_END_BREAKPOINT;
}

/* A way from a state: a run to a time, then blocks, then instructions of a core. */
struct way {
    unsigned state, core;
    uint64_t until;
    unsigned blocks, steps;
};

static bool go(struct record *record, const struct way *way)
{
    bool good = record_go(record, way->state) && run_past(record, way->until);
    for (unsigned i = 0; good && i < way->blocks; i++)
        good = run_past(record, now(record) + 1);
    for (unsigned i = 0; good && i < way->steps; i++)
        tess_pi_machine_step(record->machine, way->core, false);
    return good;
}

/* Finds the way to the state before the latest instruction: extends the way until the next block,
 * and then the next instruction, reaches the cycle. */
static bool find(struct record *record, struct way *way, uint64_t cycle)
{
    if (!go(record, way))
        return false;
    if (record_cycles(record, way->core) >= cycle) {
        way->until = 0;
        if (!go(record, way))
            return false;
    }
    while (record_cycles(record, way->core) < cycle && run_past(record, now(record) + 1))
        way->blocks++;
    way->blocks -= way->blocks > 0;
    if (!go(record, way))
        return false;
    for (; record_cycles(record, way->core) < cycle; way->steps++)
        tess_pi_machine_step(record->machine, way->core, false);
    way->steps -= way->steps > 0;
    return go(record, way);
}

bool record_step_back(struct record *record, unsigned core)
{
    uint64_t cycle = record_cycles(record, core), time = now(record);
    unsigned index = record->state_count;
    while (index && record->states[index - 1].cycles[core & 3] >= cycle)
        index--;
    if (!index) {
        if (record->state_count)
            record_go(record, 0);
        return false;
    }
    struct way way = {.state = index - 1, .core = core, .until = time > NEAR ? time - NEAR : 0};
    return find(record, &way, cycle);
}

/* Counts the breakpoints from a state up to a time, and before a cycle of the core that stops. */
static unsigned count_hits(struct record *record, unsigned index, uint64_t end,
                           const uint64_t *cycles)
{
    unsigned hits = 0;
    if (!record_go(record, index))
        return 0;
    while (record_replay(record, end) == TESS_PI_END_BREAKPOINT) {
        unsigned core = tess_pi_machine_get_end(record->machine)->core & 3;
        if (record_cycles(record, core) >= cycles[core])
            break;
        hits++;
    }
    return hits;
}

/* --- watchpoints --- */

/* The present time, and how far the cores have come. */
struct moment {
    uint64_t time, cycles[4];
};

static struct moment present(const struct record *record)
{
    struct moment moment = {.time = now(record)};
    for (unsigned i = 0; i < 4; i++)
        moment.cycles[i] = record_cycles(record, i);
    return moment;
}

/* Returns true if a moment is at or after the end of a search. */
static bool is_past(const struct moment *moment, const struct moment *end)
{
    bool past = moment->time > end->time;
    for (unsigned i = 0; i < 4; i++)
        past |= moment->cycles[i] > end->cycles[i];
    return past;
}

/* Returns the first core whose cycles differ. */
static unsigned find_core(const struct moment *before, const struct moment *after)
{
    unsigned core = 0;
    while (core < 3 && before->cycles[core] == after->cycles[core])
        core++;
    return core;
}

/* The latest blocks in which the memory of a watchpoint changed. */
struct changes {
    struct way latest; /* in a block before the moment */
    struct way last;   /* in the block that contains the moment: before or after the moment */
    bool has_latest, has_last;
};

/* Runs block by block from a state to a moment. */
static struct changes find_changes(struct record *record, unsigned state, const struct moment *end)
{
    struct changes changes = {0};
    if (!record_go(record, state))
        return changes;
    record_changed_watch(record);
    struct moment before = present(record);
    for (unsigned blocks = 0; run_past(record, before.time + 1); blocks++) {
        const struct moment after = present(record);
        const struct way way = {
            .state = state, .core = find_core(&before, &after), .blocks = blocks};
        bool changed = record_changed_watch(record) != NULL, past = is_past(&after, end);
        if (changed && past)
            changes.last = way;
        else if (changed)
            changes.latest = way;
        changes.has_last |= changed && past;
        changes.has_latest |= changed && !past;
        if (past || after.time == before.time)
            break;
        before = after;
    }
    return changes;
}

/* Goes to the state before the instruction of a block that changes a watchpoint's memory. Returns
 * the watchpoint, or NULL if another core or device has changed the memory. */
static const struct record_watch *go_to_change(struct record *record, struct way *way)
{
    const struct record_watch *watch = NULL;
    uint64_t before = 0;
    if (!go(record, way))
        return NULL;
    record_changed_watch(record);
    for (; !watch && record_cycles(record, way->core) != before; way->steps++) {
        before = record_cycles(record, way->core);
        tess_pi_machine_step(record->machine, way->core, false);
        watch = record_changed_watch(record);
    }
    way->steps -= way->steps > 0;
    return watch && go(record, way) ? watch : NULL;
}

/* Returns the index of the latest state at or before a time. */
static unsigned find_state(const struct record *record, uint64_t time)
{
    unsigned index = record->state_count;
    while (index > 1 && record->states[index - 1].time > time)
        index--;
    return index ? index - 1 : 0;
}

enum tess_pi_end_reason record_run_watched(struct record *record, unsigned blocks,
                                           struct record_stop *stop)
{
    enum tess_pi_end_reason reason = TESS_PI_END_TIME;
    *stop = (struct record_stop){0};
    for (unsigned i = 0; i < blocks && reason == TESS_PI_END_TIME; i++) {
        const struct moment before = present(record);
        reason = record_run(record, before.time + 1);
        if (!record_changed_watch(record))
            continue;
        const struct moment after = present(record);
        struct way way = {.state = find_state(record, before.time),
                          .core = find_core(&before, &after),
                          .until = before.time};
        *stop = (struct record_stop){way.core, go_to_change(record, &way)};
        tess_pi_machine_step(record->machine, way.core, false);
        record_changed_watch(record);
        return TESS_PI_END_TIME;
    }
    return reason;
}

/* --- runs back --- */

/* Goes to the latest breakpoint after a state and before a moment. Returns false if there is
 * none. */
static bool go_to_breakpoint(struct record *record, unsigned state, const struct moment *end)
{
    unsigned hits = count_hits(record, state, end->time, end->cycles);
    if (!hits || !record_go(record, state))
        return false;
    for (unsigned i = 0; i < hits; i++)
        record_replay(record, end->time);
    return true;
}

/* Goes to the latest state after a state and before a moment from which an instruction changes a
 * watchpoint's memory. Sets *way and *moment. Returns the watchpoint, or NULL. */
static const struct record_watch *go_to_latest_change(struct record *record, unsigned state,
                                                      const struct moment *end, struct way *way,
                                                      struct moment *moment)
{
    if (!record->watch_count)
        return NULL;
    struct changes changes = find_changes(record, state, end);
    const struct record_watch *watch = NULL;
    *way = changes.last;
    if (changes.has_last)
        watch = go_to_change(record, way);
    *moment = present(record);
    if (watch && moment->cycles[way->core] < end->cycles[way->core])
        return watch;
    *way = changes.latest;
    watch = changes.has_latest ? go_to_change(record, way) : NULL;
    *moment = present(record);
    return watch;
}

/* Goes to the latest stop after a state and before a moment. Returns false if there is none. */
static bool go_to_stop(struct record *record, unsigned state, const struct moment *end,
                       struct record_stop *stop)
{
    struct way way;
    struct moment changed;
    const struct record_watch *watch = go_to_latest_change(record, state, end, &way, &changed);
    if (go_to_breakpoint(record, state, end)) {
        const struct moment reached = present(record);
        *stop = (struct record_stop){.core = tess_pi_machine_get_end(record->machine)->core};
        if (!watch || is_past(&reached, &changed))
            return true;
    }
    if (!watch)
        return false;
    *stop = (struct record_stop){way.core, watch};
    return go(record, &way);
}

bool record_run_back(struct record *record, struct record_stop *stop)
{
    struct moment end = present(record);
    unsigned index = record->state_count;
    while (index && record->states[index - 1].time >= end.time)
        index--;
    for (; index; index--) {
        if (go_to_stop(record, index - 1, &end, stop))
            return true;
        end.time = record->states[index - 1].time;
    }
    if (record->state_count)
        record_go(record, 0);
    return false;
}

bool record_repeat(struct record *record, bool (*begin)(void *user), bool (*end)(void *user),
                   void *user)
{
    const uint64_t until = now(record), sent = record->sent, most_sent = record->most_sent;
    const uint64_t findings = record->findings, most_findings = record->most_findings;
    const size_t next_input = record->next_input;
    uint8_t *state;
    size_t size;
    if (!record->state_count || tess_pi_machine_save(record->machine, &state, &size) != TESS_OK)
        return false;
    bool good = record_go(record, 0) && begin(user);
    if (good) {
        run_past(record, until);
        good = end(user);
    }
    good &= tess_pi_machine_restore(record->machine, state, size) == TESS_OK;
    tess_free(state);
    record->sent = sent;
    record->most_sent = most_sent;
    record->findings = findings;
    record->most_findings = most_findings;
    record->next_input = next_input;
    return good;
}
