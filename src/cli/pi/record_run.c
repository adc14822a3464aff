/* SPDX-License-Identifier: MIT */
/* record_run.c - runs and steps that are recorded.
 *
 * In:  a time, or a core.
 * Out: the machine at its next stop; states of the record. */
#include "cli/pi/record.h"

static uint64_t now(const struct record *record)
{
    return tess_pi_machine_time(record->machine);
}

/* Runs to a goal. Stops after the access if a watchpoint is met. */
static enum tess_pi_end_reason run_watched(struct record *record, struct tess_pi_goal *goal,
                                           struct record_stop *stop)
{
    record_begin_watching(record);
    enum tess_pi_end_reason reason = record_move(record, goal);
    record_end_watching(record);
    record_note_place(record);
    *stop = (struct record_stop){.core = tess_pi_machine_get_end(record->machine)->core};
    if (reason != TESS_PI_END_WATCH && record_look_at_rest(record))
        reason = TESS_PI_END_WATCH;
    if (reason == TESS_PI_END_WATCH)
        *stop = record_go_to_hit(record);
    return reason;
}

enum tess_pi_end_reason record_run(struct record *record, uint64_t until, struct record_stop *stop)
{
    enum tess_pi_end_reason reason = TESS_PI_END_TIME;
    uint64_t end = tess_pi_machine_cycles_at(record->machine, until);
    record_keep_change(record);
    do {
        uint64_t next = tess_pi_machine_cycles_at(record->machine,
                                                  now(record) + record->interval / 2);
        struct tess_pi_goal goal = {.cycles = next < end ? next : end, .count = UINT64_MAX};
        reason = run_watched(record, &goal, stop);
    } while (reason == TESS_PI_END_TIME && record_place(record).machine.cycles < end);
    return reason;
}

enum tess_pi_end_reason record_step(struct record *record, unsigned core, struct record_stop *stop)
{
    struct tess_pi_goal goal = {.cycles = record_place(record).machine.cycles + TESS_PI_STEP_CYCLES,
                                .count = UINT64_MAX,
                                .steps = true,
                                .core = core};
    record_keep_change(record);
    return run_watched(record, &goal, stop);
}
