/* SPDX-License-Identifier: MIT */
/* threads.c - resources that concurrent programs share: the scoreboard, the mutex, semaphores, the
 * host interrupt, and a QPU with two threads.
 *
 * In:     an instruction with the state before it.
 * Out:    findings.
 * Source: qpu_rules.def; manual, sections 3 and 5; Mesa. */
#include <string.h>

#include "base/text.h"
#include "check/qpu/qpu_walk.h"

static bool uses_tile(const struct walk *walk)
{
    return walk->facts->accesses & ACCESS_TILE;
}

/* Returns true if the scoreboard may be locked after the instruction's accesses. */
static bool may_lock(const struct walk *walk)
{
    return walk->state->may_lock || uses_tile(walk) ||
           (walk->facts->accesses & ACCESS_SCOREBOARD_WAIT);
}

void qpu_check_tile_after_unlock(const struct walk *walk)
{
    if (uses_tile(walk) && walk->state->may_unlock)
        walk_title(walk, CHECK_TILE_AFTER_UNLOCK, walk->state->unlock_at);
}

bool qpu_locks_at_end(const struct walk *walk)
{
    return uses_tile(walk) && (walk->facts->accesses & ACCESS_END) && !walk->state->may_lock;
}

bool qpu_unlocks_free(const struct walk *walk)
{
    return (walk->facts->accesses & ACCESS_SCOREBOARD_UNLOCK) && !may_lock(walk) &&
           walk->checker->kind == TESS_SHADER_FRAGMENT;
}

void walk_scoreboard(struct walk *walk)
{
    bool unlocks = walk->facts->accesses & ACCESS_SCOREBOARD_UNLOCK;
    walk->state->may_lock = may_lock(walk) && !unlocks;
    state_may(&walk->state->may_unlock, &walk->state->unlock_at, unlocks, walk->word);
}

/* Reports Z writes after a colour write. Z and stencil tests clear the multisample flags of
 * fragments that fail, so colour must be written after the tests. */
void qpu_check_late_test(const struct walk *walk)
{
    if (facts_writes(walk->facts, QPU_WR_TLB_Z) && walk->state->may_colour)
        walk_title(walk, CHECK_TLB_Z_LATE, walk->state->colour_at);
}

void walk_tests(struct walk *walk)
{
    struct state *state = walk->state;
    state->may_test |= facts_writes(walk->facts, QPU_WR_TLB_Z);
    if ((walk->facts->accesses & ACCESS_TILE_COLOUR_WRITE) && !state->may_test)
        state_may(&state->may_colour, &state->colour_at, true, walk->word);
}

void qpu_check_mutex(const struct walk *walk)
{
    if ((walk->facts->accesses & ACCESS_MUTEX_READ) && walk->state->must_hold)
        walk_title(walk, CHECK_MUTEX_TWICE, walk->state->hold_at);
}

bool qpu_releases_free_mutex(const struct walk *walk)
{
    uint32_t accesses = walk->facts->accesses;
    return (accesses & ACCESS_MUTEX_WRITE) && !(accesses & ACCESS_MUTEX_READ) &&
           !walk->state->may_hold;
}

void walk_mutex(struct walk *walk)
{
    struct state *state = walk->state;
    if (walk->facts->accesses & ACCESS_MUTEX_READ) {
        state->may_hold = state->must_hold = true;
        state->hold_at = walk->word;
    }
    if (walk->facts->accesses & ACCESS_MUTEX_WRITE)
        state->may_hold = state->must_hold = false;
}

/* Tracks the host interrupt, semaphore counts, and whether other QPUs may have used the VPM. */
void walk_others(struct walk *walk)
{
    enum { NUMBER = 15, ACQUIRE = 1 << 4 };
    struct state *state = walk->state;
    const struct qpu_facts *facts = walk->facts;
    state->must_interrupt |= (facts->accesses & ACCESS_INTERRUPT) != 0;
    state->may_share |= (facts->accesses & (ACCESS_SEMAPHORE | ACCESS_MUTEX_READ)) != 0;
    if (!(facts->accesses & ACCESS_SEMAPHORE))
        return;
    struct range *raised = &state->raised[facts->insn.immediate & NUMBER];
    *raised = facts->insn.immediate & ACQUIRE ? range_take(*raised) : range_add(*raised, 1, 1);
}

/* Keeps the facts that hold at this end of the program and at all ends that were visited
 * earlier. */
void end_others(const struct walk *walk)
{
    struct checker_ends *ends = &walk->checker->at_ends;
    for (unsigned i = 0; i < 16; i++) {
        uint8_t low = walk->state->raised[i].low;
        ends->raised[i] = ends->count == 0 || low < ends->raised[i] ? low : ends->raised[i];
    }
    ends->interrupt = (ends->count == 0 || ends->interrupt) && walk->state->must_interrupt;
    ends->word = ends->count == 0 ? walk->word : ends->word;
    ends->count++;
}

/* Returns the number of programs whose effects add up, because every program of the scene is this
 * program. Returns 0 if other programs may run, or if no end is known. */
static uint32_t alike(const struct checker *checker)
{
    bool known = checker->at_ends.count && checker->fresh && checker->kind == TESS_SHADER_USER;
    return known ? checker->entry.alike : 0;
}

void qpu_check_left_semaphores(const struct walk *walk)
{
    struct checker *checker = walk->checker;
    const struct checker_ends *ends = &checker->at_ends;
    for (unsigned i = 0; i < 16 && alike(checker); i++) {
        unsigned left = ends->raised[i] > RAISED_ZERO ? ends->raised[i] - RAISED_ZERO : 0;
        if (left)
            check_report(&checker->out, CHECK_SEMAPHORE_LEFT, ends->word, CHECK_SUBJECT(i),
                         "semaphore %u is released %u time%s more than it is acquired%s", i, left,
                         text_plural(left), alike(checker) > 1 ? ", in each of the programs" : "");
    }
}

void qpu_check_interrupts(const struct walk *walk)
{
    struct checker *checker = walk->checker;
    if (checker->at_ends.interrupt && alike(checker) > 1)
        check_report(&checker->out, CHECK_INTERRUPT_EACH, checker->at_ends.word, CHECK_ALONE,
                     "each of the %u QPUs that run this program interrupts the host",
                     alike(checker));
}

void walk_switch(struct walk *walk)
{
    struct state *state = walk->state;
    if (!(walk->facts->accesses & ACCESS_SWITCH))
        return;
    if (state->may_lock && walk->checker->fresh)
        FOUND(walk, CHECK_SWITCH, CHECK_NONE, 1, "a thread switch while the scoreboard is locked");
    if (state->may_last && state->last_at != CHECK_NONE)
        FOUND(walk, CHECK_SWITCH, state->last_at, 2,
              "a thread switch after the last thread switch");
    state->may_switch = true;
    state->switch_at = walk->word;
    if (walk->facts->accesses & ACCESS_LAST_SWITCH)
        state_may(&state->may_last, &state->last_at, true, walk->word);
}

/* Applies the effects of a thread switch. The other thread runs after the second instruction that
 * follows the switch. */
void finish_switch(struct walk *walk)
{
    struct state *state = walk->state;
    const struct flow_context *at = &walk->checker->flow.nodes[walk->node].at;
    if (at->turn != 2)
        return;
    state->old_results = range_add(state->new_results, 0, state->old_results.high);
    state->new_results = (struct range){0, 0};
    state->accumulators_lost = ALL_ACCUMULATORS;
    state->lost_at = at->word >= 2 ? at->word - 2 : CHECK_NONE;
    memset(state->constant + 64, 0, CONSTANTS - 64);
}

void qpu_check_high_registers(const struct walk *walk)
{
    const struct qpu_facts *facts = walk->facts;
    if (!walk->checker->threaded)
        return;
    for (unsigned file = 0; file < 2; file++) {
        unsigned address = facts->port[file];
        if (address >= 16 && address < 32)
            FOUND(walk, CHECK_HIGH_REGISTER, CHECK_NONE, file * 32 + address,
                  "%s is used in a threaded program", check_read_name(file, address));
        const struct qpu_write *write = &facts->write[file];
        if (write->present && write->address >= 16 && write->address < 32)
            FOUND(walk, CHECK_HIGH_REGISTER, CHECK_NONE, write->file_b * 32u + write->address,
                  "%s is used in a threaded program",
                  check_write_name(write->file_b, write->address));
    }
}

void qpu_check_last_switch(const struct walk *walk)
{
    const struct state *state = walk->state;
    if (state->may_switch && !state->may_last)
        FOUND_CAUSE(walk, CHECK_SWITCH_NO_LAST, state->switch_at, 0, "%s",
                    check_rule(CHECK_SWITCH_NO_LAST)->title);
}

void qpu_check_held_mutex(const struct walk *walk)
{
    const struct walk last = walk_last(walk);
    if (walk->state->must_hold)
        FOUND_CAUSE(&last, CHECK_MUTEX_HELD, walk->state->hold_at, 0,
                    "the mutex that is acquired here is not released before the program ends");
}

void qpu_check_missing_unlock(const struct walk *walk)
{
    const struct walk last = walk_last(walk);
    if (walk->state->may_lock && !walk->state->may_unlock && walk->checker->fresh &&
        walk->checker->kind == TESS_SHADER_FRAGMENT)
        walk_title(&last, CHECK_UNLOCK_MISSING, CHECK_NONE);
}
