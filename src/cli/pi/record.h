/* SPDX-License-Identifier: MIT */
/* record.h - a machine that can go back: saved states at intervals, and the inputs between them. */
#ifndef CLI_PI_RECORD_H
#define CLI_PI_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/pi.h>

enum { RECORD_STATES = 24, RECORD_WATCHES = 16, RECORD_WATCHED = 64 };

/* A place in a run. */
struct record_place {
    struct tess_pi_place machine;
    bool carried_out; /* between turns: the peripherals have done the work of this cycle */
};

struct record_state {
    struct record_place place;
    bool changed;            /* the user has changed the machine at this place */
    uint64_t sent, findings; /* counts that belong to the state */
    size_t next_input;
    uint8_t *bytes;
    size_t size;
};

enum record_kind { RECORD_UART, RECORD_PIN };

struct record_input {
    uint64_t cycles; /* of the board */
    enum record_kind kind;
    uint32_t value; /* a byte, or pin * 2 + level */
};

/* What a watchpoint watches. */
enum record_watched { RECORD_WRITES, RECORD_READS, RECORD_ACCESSES };

struct record_watch {
    enum record_watched kind;
    unsigned core;
    uint64_t address;
    size_t size;
    uint8_t bytes[RECORD_WATCHED];
};

/* An access to the memory of a watchpoint that a run has met: by an instruction after the first
 * `from` and up to the first `count` ones, or by a peripheral if both are equal. */
struct record_hit {
    uint64_t from, count;
    uint64_t cycles; /* of the board */
    const struct record_watch *watch;
};

/* A stop of a run: the core, and the watchpoint that was met, or NULL. */
struct record_stop {
    unsigned core;
    const struct record_watch *watch;
};

struct record {
    struct tess_pi_machine *machine;
    struct record_state states[RECORD_STATES];
    unsigned state_count;
    uint64_t interval; /* nanoseconds between states */
    struct record_input *inputs;
    size_t input_count, next_input; /* next_input: the first after the present time */
    struct record_place reached;    /* the latest place at which the machine was */
    bool carried_out;               /* of the present place */

    /* Bytes that the UARTs have sent, and findings, up to the present and to the latest time. */
    uint64_t sent, most_sent, findings, most_findings;
    struct record_watch watches[RECORD_WATCHES];
    unsigned watch_count;
    uint64_t checked;      /* number of instructions at the latest look at the watchpoints */
    struct record_hit hit; /* the latest one */
    bool changed;          /* the user has changed memory or registers since the latest state */
    bool full;             /* the host is out of memory: no more is recorded */
};

/* Starts a record at the machine's present time. */
void record_open(struct record *record, struct tess_pi_machine *machine);
void record_close(struct record *record);

/* Count a byte or a finding. Return true if it happens for the first time, so that it must be
 * passed on. */
bool record_sent(struct record *record);
bool record_found(struct record *record);

/* Returns true if the machine is at the latest place, so that it can take new inputs. */
bool record_is_new(const struct record *record);

/* Gives an input to the machine, and keeps it. */
void record_input(struct record *record, enum record_kind kind, uint32_t value);

/* The user has changed the machine's memory or registers: what was recorded later is void. */
void record_change(struct record *record);

/* Returns the present place. */
struct record_place record_place(const struct record *record);

/* Runs to a goal or another end, with the recorded inputs and changes, and records nothing. */
enum tess_pi_end_reason record_move(struct record *record, struct tess_pi_goal *goal);

/* Goes to a state. Returns false if the machine refuses it. */
bool record_go(struct record *record, unsigned index);

/* Keeps the present state before the next run, if the user has changed the machine. */
void record_keep_change(struct record *record);

/* Notes the present place. Adds a state at the end of each interval. */
void record_note_place(struct record *record);

/* --- record_watch.c --- */

/* Adds or removes a watchpoint. Returns false if there are too many. */
bool record_watch(struct record *record, enum record_watched kind, unsigned core, uint64_t address,
                  size_t size, bool set);

/* Looks at the watchpoints while the machine runs: TESS_PI_END_WATCH ends the run, and .hit is
 * set. */
void record_begin_watching(struct record *record);
void record_end_watching(struct record *record);

/* Looks at the watchpoints after a run that has ended inside of a block. Returns true, and sets
 * .hit, if one was met there. */
bool record_look_at_rest(struct record *record);

/* Forgets what has happened to the watchpoints' memory up to now. */
void record_look(struct record *record);

/* Returns the watchpoint that was met since the last look, or NULL. Looks. */
const struct record_watch *record_met_watch(struct record *record);

/* --- record_back.c --- */

/* Goes to the place before the instruction after `count` ones. Returns false if the machine cannot
 * go there. */
bool record_seek(struct record *record, uint64_t count);

/* Goes to the end of the instruction or of the peripheral's work that .hit contains first. Returns
 * the stop there. */
struct record_stop record_go_to_hit(struct record *record);

/* Goes back to the place before the latest instruction of a core, or to the latest place at which a
 * core was at a breakpoint, or before an access to the memory of a watchpoint. Returns false if the
 * beginning was reached. */
bool record_step_back(struct record *record, unsigned core);
bool record_run_back(struct record *record, struct record_stop *stop);

/* Runs from the beginning of the record to the present place once more: calls begin at the
 * beginning, and end at the present place, if begin returns true. Then returns to the present
 * state. Returns false if the machine refuses, or if begin or end returns false. */
bool record_repeat(struct record *record, bool (*begin)(void *user), bool (*end)(void *user),
                   void *user);

/* --- record_run.c --- */

/* Runs to a time in nanoseconds, as tess_pi_machine_run(), with the inputs that were recorded.
 * Stops after an access to the memory of a watchpoint with TESS_PI_END_WATCH. */
enum tess_pi_end_reason record_run(struct record *record, uint64_t until, struct record_stop *stop);

/* Executes an instruction of a core, as tess_pi_machine_step(). Stops as record_run(). */
enum tess_pi_end_reason record_step(struct record *record, unsigned core, struct record_stop *stop);

#endif
