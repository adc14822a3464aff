/* SPDX-License-Identifier: MIT */
/* record.h - a machine that can go back: saved states at intervals, and the inputs between them. */
#ifndef CLI_PI_RECORD_H
#define CLI_PI_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/pi.h>

enum { RECORD_STATES = 24, RECORD_WATCHES = 16, RECORD_WATCHED = 64 };

struct record_state {
    uint64_t time, cycles[4]; /* of the board in nanoseconds, and of each core */
    uint64_t sent, findings;  /* counts that belong to the state */
    size_t next_input;
    uint8_t *bytes;
    size_t size;
};

enum record_kind { RECORD_UART, RECORD_PIN };

struct record_input {
    uint64_t time;
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

struct record {
    struct tess_pi_machine *machine;
    struct record_state states[RECORD_STATES];
    unsigned state_count;
    uint64_t interval; /* nanoseconds between states */
    struct record_input *inputs;
    size_t input_count, input_room, next_input; /* next_input: the first after the present time */
    uint64_t reached;                           /* the latest time that the machine has had */

    /* Bytes that the UARTs have sent, and findings, up to the present and to the latest time. */
    uint64_t sent, most_sent, findings, most_findings;
    struct record_watch watches[RECORD_WATCHES];
    unsigned watch_count;
    bool changed; /* the user has changed memory or registers since the latest state */
    bool full;    /* the host is out of memory: no more is recorded */
};

/* Starts a record at the machine's present time. */
void record_open(struct record *record, struct tess_pi_machine *machine);
void record_close(struct record *record);

/* Count a byte or a finding. Return true if it happens for the first time, so that it must be
 * passed on. */
bool record_sent(struct record *record);
bool record_found(struct record *record);

/* Return true if the machine is at the latest time, so that it can take new inputs. */
bool record_is_new(const struct record *record);

/* Gives an input to the machine, and keeps it. */
void record_input(struct record *record, enum record_kind kind, uint32_t value);

/* The user has changed the machine's memory or registers: what was recorded later is void. */
void record_change(struct record *record);

/* Runs to a time, as tess_pi_machine_run(), with the inputs that were recorded. */
enum tess_pi_end_reason record_run(struct record *record, uint64_t until);

/* Executes an instruction of a core. */
enum tess_pi_end_reason record_step(struct record *record, unsigned core);

/* Adds or removes a watchpoint. Returns false if there are too many. */
bool record_watch(struct record *record, enum record_watched kind, unsigned core, uint64_t address,
                  size_t size, bool set);

/* Returns the watchpoint whose memory has changed since the last call, or NULL. */
const struct record_watch *record_changed_watch(struct record *record);

/* Returns the watchpoint of reads or of accesses that the latest step of a core has met, or
 * NULL. */
const struct record_watch *record_accessed_watch(const struct record *record, unsigned core);

/* Runs to a time with the recorded inputs, and records nothing. */
enum tess_pi_end_reason record_replay(struct record *record, uint64_t until);

/* Returns the cycles of a core. */
uint64_t record_cycles(const struct record *record, unsigned core);

/* Goes to a state. Returns false if the machine refuses it. */
bool record_go(struct record *record, unsigned index);

/* --- record_back.c --- */

/* A stop of a run: the core, and the watchpoint if the core's next instruction changes the memory
 * of one, or NULL at a breakpoint. */
struct record_stop {
    unsigned core;
    const struct record_watch *watch;
};

/* Goes back to the state before the latest instruction of a core, or to the latest time at which a
 * core was at a breakpoint or about to change the memory of a watchpoint. Watchpoints of reads stop
 * no run back. Returns false if the beginning was reached. */
bool record_step_back(struct record *record, unsigned core);
bool record_run_back(struct record *record, struct record_stop *stop);

/* Runs at most a number of blocks of instructions. Stops after an instruction that changes the
 * memory of a watchpoint, and sets *stop; otherwise stop->watch is NULL. Returns the reason of
 * another end. */
enum tess_pi_end_reason record_run_watched(struct record *record, unsigned blocks,
                                           struct record_stop *stop);

/* Runs from the beginning of the record to the present time once more: calls begin at the
 * beginning, and end at the present time, if begin returns true. Then returns to the present state.
 * Changes of the user are not repeated. Returns false if the machine refuses, or if begin or end
 * returns false. */
bool record_repeat(struct record *record, bool (*begin)(void *user), bool (*end)(void *user),
                   void *user);

#endif
