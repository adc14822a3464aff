/* SPDX-License-Identifier: MIT */
/* run.c - runs the cores, the peripherals and the V3D in one time.
 *
 * In:  a limit of time.
 * Out: a run of the machine, and why it ended.
 *
 * The cores run in turns, each until the next event of a peripheral, and at most for a quantum if
 * several cores are active. A core that branches to itself is not active until it has an interrupt.
 * While no core is active, the time moves to the next event at once.
 *
 * Choices: a core that is woken continues at the time of the event. */
#include "board/machine/machine.h"

#include <string.h>

enum {
    QUANTUM = 2000,         /* cycles of a turn, if several cores are active */
    LONGEST_WAIT = 1000000, /* cycles of a step of a core that waits */
};

void machine_end(struct tess_pi_machine *machine, enum tess_pi_end_reason reason, const char *text)
{
    if (!machine->ended) {
        machine->end.reason = reason;
        machine->end.text = text;
    }
    machine->ended = true;
    machine_hurry(machine);
}

/* Returns the time of the next event, in nanoseconds. */
static uint64_t next_event(const struct tess_pi_machine *machine)
{
    uint64_t next = machine_next(machine);
    uint64_t v3d = machine_v3d_next(machine), timers = machine_timers_next(machine);
    next = v3d < next ? v3d : next;
    return timers < next ? timers : next;
}

/* Returns true if a core executes instructions that can have an effect. */
static bool is_active(const struct tess_pi_machine *machine, unsigned number)
{
    return machine->running[number] && (!machine->spins[number] || machine->cores[number]->lines);
}

/* Returns true if nothing can change without an ARM core. */
static bool is_quiet(const struct tess_pi_machine *machine)
{
    return machine_devices_are_quiet(machine) && !machine_v3d_is_busy(machine) &&
           machine_timers_next(machine) == DEVICE_NEVER;
}

/* Returns true if a core other than the one that runs is active, or is about to wake. */
static bool has_others(const struct tess_pi_machine *machine)
{
    for (unsigned i = 0; i < machine->core_count; i++) {
        const struct arm_core *core = machine->cores[i];
        bool waits = core && !machine->running[i] && !machine->parked[i];
        bool wakes = waits && (core->lines || core->event);
        if (i != machine->current && (wakes || is_active(machine, i)))
            return true;
    }
    return false;
}

void machine_hurry(struct tess_pi_machine *machine)
{
    struct arm_core *core = machine->cores[machine->current];
    bool now = machine->ended || (machine->alone && has_others(machine));
    uint64_t cycles = now ? 0 : machine_cycles(machine, next_event(machine));
    if (core && cycles < core->limit)
        core->limit = cycles;
}

static void carry_out_events(struct tess_pi_machine *machine)
{
    machine_advance(machine);
    machine_v3d_advance(machine);
    for (unsigned i = 0; machine->core_count > 1 && i < machine->core_count; i++)
        machine_timers_update(machine, i);
}

/* Wakes the cores that have an interrupt or an event. Returns the number of active cores. */
static unsigned wake(struct tess_pi_machine *machine)
{
    unsigned active = 0;
    for (unsigned i = 0; i < machine->core_count; i++) {
        struct arm_core *core = machine->cores[i];
        if (!machine->parked[i] && (core->lines || core->event))
            machine->running[i] = true;
        active += is_active(machine, i);
    }
    return active;
}

static void run_core(struct tess_pi_machine *machine, unsigned number, uint64_t limit)
{
    struct arm_core *core = machine->cores[number];
    machine->current = number;
    if (core->cycles < machine->cycles)
        core->cycles = machine->cycles;
    core->limit = limit;
    enum arm_stop stop = machine->options.engine->run(core);
    if (stop == ARM_WAIT_INTERRUPT || stop == ARM_WAIT_EVENT)
        machine->running[number] = false;
    machine->spins[number] = stop == ARM_IDLE;
    if (stop == ARM_IDLE && core->lines && core->cycles < limit)
        core->cycles = limit; /* with an interrupt that the core masks */
    if (stop == ARM_BREAKPOINT) {
        machine->end.core = number;
        machine->end.pc = machine->options.engine->get(core, ARM_PC);
        machine_end(machine, TESS_PI_END_BREAKPOINT, "a breakpoint");
    }
}

/* Runs each active core up to a limit. Sets the board's time to the earliest core. */
static void run_cores(struct tess_pi_machine *machine, uint64_t limit)
{
    uint64_t reached = limit;
    for (unsigned i = 0; i < machine->core_count && !machine->ended; i++) {
        if (!is_active(machine, i))
            continue;
        run_core(machine, i, limit);
        uint64_t cycles = machine->cores[i]->cycles;
        if (machine->alone || machine->ended) {
            reached = cycles;
            break; /* the core may have woken others, whose turn begins now */
        }
    }
    if (reached > machine->cycles)
        machine->cycles = reached;
}

/* Counts the turns in a row in which all active cores only repeat loops that wait. */
static void count_idle_turns(struct tess_pi_machine *machine, uint64_t start, uint64_t end)
{
    enum { SOON = QUANTUM / 4 };
    bool idle = true;
    for (unsigned i = 0; i < machine->core_count; i++) {
        const struct arm_core *core = machine->cores[i];
        if (is_active(machine, i))
            idle &= core->idle_until > end && core->idle_from < start + SOON;
    }
    machine->idle_turns = idle ? machine->idle_turns + 1 : 0;
}

/* Returns the cycle at which a turn ends: at the time when the first core stops to wait, if all
 * have waited for some turns. */
static uint64_t end_of_turn(const struct tess_pi_machine *machine)
{
    enum { LONG_ENOUGH = 2 };
    uint64_t end = machine->cycles + QUANTUM, idle = UINT64_MAX;
    if (machine->alone)
        return UINT64_MAX;
    for (unsigned i = 0; i < machine->core_count; i++)
        if (is_active(machine, i) && machine->cores[i]->idle_until < idle)
            idle = machine->cores[i]->idle_until;
    return machine->idle_turns >= LONG_ENOUGH && idle > end ? idle : end;
}

/* Runs the cores for a turn, or until the next event. */
static void take_turn(struct tess_pi_machine *machine, unsigned active, uint64_t limit)
{
    machine->alone = active == 1;
    uint64_t start = machine->cycles, next = machine_cycles(machine, next_event(machine));
    uint64_t turn = end_of_turn(machine), end = next < turn ? next : turn;
    end = end < limit ? end : limit;
    run_cores(machine, end);
    count_idle_turns(machine, start, end);
    if (end == next)
        machine->idle_turns = 0;
}

/* Ends the run, because no core is active and no event comes. */
static void end_waiting(struct tess_pi_machine *machine)
{
    unsigned spinning = 0;
    while (spinning < machine->core_count && !machine->running[spinning])
        spinning++;
    bool spins = spinning < machine->core_count;
    machine->end.pc = machine->options.engine->get(machine->cores[spins ? spinning : 0], ARM_PC);
    machine_end(machine, TESS_PI_END_WAITS,
                spins ? "the kernel branches to itself forever"
                      : "all cores wait, and no event comes");
}

/* No core is active: moves the time to the next event, or to the limit. Returns false if no event
 * comes. */
static bool skip(struct tess_pi_machine *machine, uint64_t until)
{
    uint64_t next = machine_cycles(machine, next_event(machine));
    bool silent = next == UINT64_MAX && !machine->options.open_inputs;
    if (machine->options.endless_wait && (silent || is_quiet(machine))) {
        end_waiting(machine);
        return false;
    }
    uint64_t to = next < until ? next : until;
    if (to > machine->cycles)
        machine->cycles = to;
    for (unsigned i = 0; i < machine->core_count; i++)
        if (machine->cores[i]->cycles < machine->cycles)
            machine->cores[i]->cycles = machine->cycles;
    return true;
}

void machine_forget_spins(struct tess_pi_machine *machine)
{
    memset(machine->spins, 0, sizeof machine->spins);
}

enum tess_pi_end_reason tess_pi_machine_run(struct tess_pi_machine *machine, uint64_t until)
{
    uint64_t limit = machine_cycles(machine, until);
    machine->ended = false;
    machine->inside = true;
    machine->end = (struct tess_pi_end){.reason = TESS_PI_END_TIME};
    machine_forget_spins(machine);
    while (!machine->ended && machine->cycles < limit) {
        carry_out_events(machine);
        unsigned active = wake(machine);
        if (!active && !skip(machine, limit))
            break;
        if (!active)
            continue;
        take_turn(machine, active, limit);
    }
    machine->inside = false;
    return machine->end.reason;
}

/* Executes an instruction of a running core. */
static void step_core(struct tess_pi_machine *machine, unsigned number, bool interrupts)
{
    struct arm_core *core = machine->cores[number];
    machine->current = number;
    if (core->cycles < machine->cycles)
        core->cycles = machine->cycles;
    if (!interrupts)
        core->lines = 0;
    enum arm_stop stop = machine->options.engine->step(core);
    if (stop == ARM_WAIT_INTERRUPT || stop == ARM_WAIT_EVENT)
        machine->running[number] = false;
    machine_update_lines(machine);
    if (core->cycles > machine->cycles)
        machine->cycles = core->cycles;
}

/* Runs the other cores up to the board's time. */
static void follow(struct tess_pi_machine *machine, unsigned number)
{
    for (unsigned i = 0; i < machine->core_count && !machine->ended; i++)
        if (i != number && machine->running[i] && machine->cores[i]->cycles < machine->cycles)
            run_core(machine, i, machine->cycles);
}

enum tess_pi_end_reason tess_pi_machine_step(struct tess_pi_machine *machine, unsigned core,
                                             bool interrupts)
{
    if (core >= machine->core_count)
        return TESS_PI_END_BROKEN;
    machine->ended = false;
    machine->inside = true;
    machine->alone = false;
    machine->end = (struct tess_pi_end){.reason = TESS_PI_END_TIME, .core = core};
    machine_forget_spins(machine);
    carry_out_events(machine);
    unsigned running = wake(machine);
    if (machine->running[core]) {
        step_core(machine, core, interrupts);
        follow(machine, core);
    } else if (running) {
        machine->cycles++;
        follow(machine, core);
    } else {
        skip(machine, machine->cycles + LONGEST_WAIT);
    }
    carry_out_events(machine);
    machine->inside = false;
    return machine->end.reason;
}

void tess_pi_machine_stop(struct tess_pi_machine *machine)
{
    machine_end(machine, TESS_PI_END_STOPPED, "the caller ends the run");
}

const struct tess_pi_end *tess_pi_machine_get_end(const struct tess_pi_machine *machine)
{
    return &machine->end;
}
