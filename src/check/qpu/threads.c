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

void walk_scoreboard(struct walk *walk)
{
    struct state *state = &walk->state;
    uint32_t accesses = walk->facts->accesses;
    bool tile = accesses & ACCESS_TILE;
    if (tile && state->may_unlock)
        walk_title(walk, CHECK_TILE_AFTER_UNLOCK, state->unlock_at);
    if (tile && (accesses & ACCESS_END) && !state->may_lock)
        walk_title(walk, CHECK_END_FIRST_TLB, CHECK_NONE);
    state->may_lock |= tile || (accesses & ACCESS_SCOREBOARD_WAIT);
    if (!(accesses & ACCESS_SCOREBOARD_UNLOCK))
        return;
    if (!state->may_lock && walk->checker->kind == TESS_SHADER_FRAGMENT)
        walk_title(walk, CHECK_UNLOCK_FREE, CHECK_NONE);
    state->may_lock = false;
    state_may(&state->may_unlock, &state->unlock_at, true, walk->word);
}

/* Reports Z writes after a colour write. Z and stencil tests clear the multisample flags of
 * fragments that fail, so colour must be written after the tests. */
void walk_tests(struct walk *walk)
{
    struct state *state = &walk->state;
    const struct qpu_facts *facts = walk->facts;
    if (facts_writes(facts, QPU_WR_TLB_Z)) {
        if (state->may_colour)
            walk_title(walk, CHECK_TLB_Z_LATE, state->colour_at);
        state->may_test = true;
    }
    if ((facts->accesses & ACCESS_TILE_COLOUR_WRITE) && !state->may_test)
        state_may(&state->may_colour, &state->colour_at, true, walk->word);
}

void walk_mutex(struct walk *walk)
{
    struct state *state = &walk->state;
    if (walk->facts->accesses & ACCESS_MUTEX_READ) {
        if (state->must_hold)
            walk_title(walk, CHECK_MUTEX_TWICE, state->hold_at);
        state->may_hold = state->must_hold = true;
        state->hold_at = walk->word;
    }
    if (walk->facts->accesses & ACCESS_MUTEX_WRITE) {
        if (!state->may_hold)
            walk_title(walk, CHECK_MUTEX_FREE, CHECK_NONE);
        state->may_hold = state->must_hold = false;
    }
}

/* Tracks the host interrupt, semaphore counts, and whether other QPUs may have used the VPM. */
void walk_others(struct walk *walk)
{
    enum { NUMBER = 15, ACQUIRE = 1 << 4 };
    struct state *state = &walk->state;
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
void end_others(struct walk *walk)
{
    struct checker_ends *ends = &walk->checker->at_ends;
    if (walk->silent)
        return;
    for (unsigned i = 0; i < 16; i++) {
        uint8_t low = walk->state.raised[i].low;
        ends->raised[i] = ends->count == 0 || low < ends->raised[i] ? low : ends->raised[i];
    }
    ends->interrupt = (ends->count == 0 || ends->interrupt) && walk->state.must_interrupt;
    ends->word = ends->count == 0 ? walk->word : ends->word;
    ends->count++;
}

/* Reports facts that hold at all ends, if every program of the scene is this program. The effects
 * of all programs then add up. */
void report_ends(struct checker *checker)
{
    const struct checker_ends *ends = &checker->at_ends;
    uint32_t alike = checker->entry.alike;
    if (ends->count == 0 || alike == 0 || !checker->fresh || checker->kind != TESS_SHADER_USER)
        return;
    for (unsigned i = 0; i < 16; i++) {
        unsigned left = ends->raised[i] > RAISED_ZERO ? ends->raised[i] - RAISED_ZERO : 0;
        if (left)
            check_report(&checker->out, CHECK_SEMAPHORE_LEFT, ends->word, CHECK_SUBJECT(i),
                         "semaphore %u is released %u time%s more than it is acquired%s", i, left,
                         text_plural(left), alike > 1 ? ", in each of the programs" : "");
    }
    if (ends->interrupt && alike > 1)
        check_report(&checker->out, CHECK_INTERRUPT_EACH, ends->word, CHECK_ALONE,
                     "each of the %u QPUs that run this program interrupts the host", alike);
}

void walk_switch(struct walk *walk)
{
    struct state *state = &walk->state;
    if (!(walk->facts->accesses & ACCESS_SWITCH))
        return;
    if (state->may_lock && walk->checker->fresh)
        REPORT(walk, CHECK_SWITCH, CHECK_NONE, 1, "a thread switch while the scoreboard is locked");
    if (state->may_last && state->last_at != CHECK_NONE)
        REPORT(walk, CHECK_SWITCH, state->last_at, 2,
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
    struct state *state = &walk->state;
    const struct flow_context *at = &walk->checker->flow.nodes[walk->node].at;
    if (at->turn != 2)
        return;
    if (state->old_results.low)
        walk_title(walk, CHECK_TMU_AT_SWITCH, CHECK_NONE);
    state->old_results = range_add(state->new_results, 0, state->old_results.high);
    state->new_results = (struct range){0, 0};
    state->accumulators_lost = ALL_ACCUMULATORS;
    state->lost_at = at->word >= 2 ? at->word - 2 : CHECK_NONE;
    memset(state->constant + 64, 0, CONSTANTS - 64);
}

void walk_registers(struct walk *walk)
{
    const struct qpu_facts *facts = walk->facts;
    if (!walk->checker->threaded)
        return;
    for (unsigned file = 0; file < 2; file++) {
        unsigned address = facts->port[file];
        if (address >= 16 && address < 32)
            REPORT(walk, CHECK_HIGH_REGISTER, CHECK_NONE, file * 32 + address,
                   "%s is used in a threaded program", check_read_name(file, address));
        const struct qpu_write *write = &facts->write[file];
        if (write->present && write->address >= 16 && write->address < 32)
            REPORT(walk, CHECK_HIGH_REGISTER, CHECK_NONE, write->file_b * 32u + write->address,
                   "%s is used in a threaded program",
                   check_write_name(write->file_b, write->address));
    }
}

void end_threads(struct walk *walk)
{
    const struct state *state = &walk->state;
    if (state->may_switch && !state->may_last)
        REPORT_CAUSE(walk, CHECK_SWITCH_NO_LAST, state->switch_at, 0, "%s",
                     check_rule(CHECK_SWITCH_NO_LAST)->title);
}

void end_locks(struct walk *walk)
{
    const struct state *state = &walk->state;
    if (state->must_hold)
        REPORT_CAUSE(walk, CHECK_MUTEX_HELD, state->hold_at, 0, "%s",
                     "the mutex that is acquired here is not released before the program ends");
    if (state->may_lock && !state->may_unlock && walk->checker->fresh &&
        walk->checker->kind == TESS_SHADER_FRAGMENT)
        walk_title(walk, CHECK_UNLOCK_MISSING, CHECK_NONE);
}
