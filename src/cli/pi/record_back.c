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

bool record_run_back(struct record *record, unsigned *core)
{
    uint64_t end = now(record), cycles[4];
    unsigned index = record->state_count;
    for (unsigned i = 0; i < 4; i++)
        cycles[i] = record_cycles(record, i);
    while (index && record->states[index - 1].time >= end)
        index--;
    for (; index; index--) {
        unsigned hits = count_hits(record, index - 1, end, cycles);
        if (hits && record_go(record, index - 1)) {
            for (unsigned i = 0; i < hits; i++)
                record_replay(record, end);
            *core = tess_pi_machine_get_end(record->machine)->core;
            return true;
        }
        end = record->states[index - 1].time;
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
