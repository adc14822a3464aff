/* SPDX-License-Identifier: MIT */
/* gdb_machine.c - see gdb_machine.h.
 *
 * In:  calls of a gdb session.
 * Out: a machine that runs, steps and goes back.
 *
 * Choices: a step of a core lets the other cores run in their order, also if gdb locks the
 *          scheduler. */
#include "cli/pi/gdb_machine.h"

#include <stdio.h>

enum { WATCHED_TIME = 2000000 /* nanoseconds */, THUMB = 1 << 5, R15 = 15 };

static struct tess_pi_machine *machine_of(void *user)
{
    return ((struct gdb_machine *)user)->record->machine;
}

static uint64_t get(void *user, unsigned core, unsigned reg)
{
    return tess_pi_machine_get_register(machine_of(user), core, reg);
}

static void set(void *user, unsigned core, unsigned reg, uint64_t value)
{
    struct tess_pi_machine *machine = machine_of(user);
    struct tess_pi_core state;
    tess_pi_machine_get_core(machine, core, &state);
    bool pc = reg == TESS_PI_PC || (!state.wide && reg == R15);
    if (tess_pi_machine_get_register(machine, core, reg) == value)
        return;
    if (pc && !state.wide && tess_pi_machine_get_register(machine, core, TESS_PI_PSR) & THUMB)
        value |= 1;
    tess_pi_machine_set_register(machine, core, reg, value);
    record_change(((struct gdb_machine *)user)->record);
}

static size_t read_memory(void *user, unsigned core, uint64_t address, void *to, size_t size)
{
    return tess_pi_machine_peek(machine_of(user), core, address, to, size);
}

static size_t write_memory(void *user, unsigned core, uint64_t address, const void *from,
                           size_t size)
{
    size_t done = tess_pi_machine_poke(machine_of(user), core, address, from, size);
    record_change(((struct gdb_machine *)user)->record);
    return done;
}

static bool breakpoint(void *user, uint64_t address, bool set_it)
{
    return tess_pi_machine_breakpoint(machine_of(user), address, set_it);
}

static bool watch(void *user, enum gdb_watched kind, unsigned core, uint64_t address, size_t size,
                  bool set_it)
{
    static const enum record_watched kinds[] = {
        [GDB_WRITES] = RECORD_WRITES, [GDB_READS] = RECORD_READS, [GDB_ACCESSES] = RECORD_ACCESSES};
    return record_watch(((struct gdb_machine *)user)->record, kinds[kind], core, address, size,
                        set_it);
}

/* --- runs --- */

/* Returns the stop after a part of a run that had an end. */
static struct gdb_stop stop_of(const struct gdb_machine *own, enum tess_pi_end_reason reason,
                               bool ends)
{
    struct gdb_stop stop = {.core = tess_pi_machine_get_end(own->record->machine)->core};
    if (ends || reason == TESS_PI_END_STOPPED)
        stop.event = GDB_END;
    else if (reason == TESS_PI_END_BREAKPOINT)
        stop.event = GDB_BREAKPOINT;
    else if (reason != TESS_PI_END_TIME)
        stop.event = GDB_DONE;
    return stop;
}

static enum gdb_watched kind_of(const struct record_watch *watch)
{
    return watch->kind == RECORD_WRITES  ? GDB_WRITES
           : watch->kind == RECORD_READS ? GDB_READS
                                         : GDB_ACCESSES;
}

static struct gdb_stop stop_at_watch(const struct record_stop *stop)
{
    const struct record_watch *watch = stop->watch;
    return watch ? (struct gdb_stop){GDB_WATCH, stop->core, watch->address, kind_of(watch)}
                 : (struct gdb_stop){.event = GDB_DONE, .core = stop->core};
}

static struct gdb_stop step(void *user, unsigned core)
{
    struct gdb_machine *own = user;
    struct record_stop where;
    enum tess_pi_end_reason reason = record_step(own->record, core, &where);
    if (reason == TESS_PI_END_WATCH)
        return stop_at_watch(&where);
    struct gdb_stop stop = stop_of(own, reason, false);
    if (reason == TESS_PI_END_TIME)
        stop.core = core;
    return stop;
}

static struct gdb_stop run(void *user)
{
    struct gdb_machine *own = user;
    struct record *record = own->record;
    struct record_stop stop;
    bool ends = false;
    if (!record->watch_count) {
        enum tess_pi_end_reason reason = own->run(own->user, &ends);
        return stop_of(own, reason, ends);
    }
    uint64_t until = tess_pi_machine_time(record->machine) + WATCHED_TIME;
    enum tess_pi_end_reason reason = record_run(record, until, &stop);
    return reason == TESS_PI_END_WATCH ? stop_at_watch(&stop) : stop_of(own, reason, false);
}

static struct gdb_stop step_back(void *user, unsigned core)
{
    struct gdb_machine *own = user;
    bool good = record_step_back(own->record, core);
    return (struct gdb_stop){.event = good ? GDB_DONE : GDB_BEGIN, .core = core};
}

static struct gdb_stop run_back(void *user, unsigned core)
{
    struct gdb_machine *own = user;
    struct record_stop stop = {.core = core};
    bool good = record_run_back(own->record, &stop);
    if (good && stop.watch)
        return (struct gdb_stop){GDB_WATCH, stop.core, stop.watch->address, kind_of(stop.watch)};
    return (struct gdb_stop){.event = good ? GDB_BREAKPOINT : GDB_BEGIN, .core = stop.core};
}

static void describe(void *user, unsigned core, char *text, size_t size)
{
    struct tess_pi_core state;
    tess_pi_machine_get_core(machine_of(user), core, &state);
    snprintf(text, size, "core %u, %s", core,
             state.parked  ? "waits for its start"
             : state.waits ? "waits for an interrupt or an event"
                           : "runs");
}

static void monitor(void *user, const char *command, struct gdb_text *answer)
{
    gdb_monitor(((struct gdb_machine *)user)->record, command, answer);
}

struct gdb_target gdb_machine_target(struct gdb_machine *machine)
{
    struct tess_pi_core state;
    tess_pi_machine_get_core(machine->record->machine, 0, &state);
    return (struct gdb_target){
        .user = machine,
        .cores = tess_pi_machine_core_count(machine->record->machine),
        .wide = state.wide,
        .get = get,
        .set = set,
        .read = read_memory,
        .write = write_memory,
        .breakpoint = breakpoint,
        .watch = watch,
        .step = step,
        .run = run,
        .step_back = step_back,
        .run_back = run_back,
        .describe = describe,
        .monitor = monitor,
    };
}
