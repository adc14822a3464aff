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
 * What the machine does depends only on its state and its inputs. A stop leaves the turn as it is,
 * and the next run continues the turn: the same core continues up to the same end, then the other
 * cores have their part. A limit of time ends no turn of several cores, but only the turn of a core
 * that is alone, which has no effect. Turns in which all cores wait are longer than a quantum, but
 * a multiple of it, so that later turns begin at the same cycles.
 *
 * Choices: a core that is woken continues at the time of the event. */
#include "board/machine/machine.h"

#include <string.h>

enum { QUANTUM = 2000 /* cycles of a turn, if several cores are active */ };

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

/* Returns true if a core waits, and continues now. */
static bool is_waking(const struct tess_pi_machine *machine, unsigned number)
{
    const struct arm_core *core = machine->cores[number];
    bool waits = !machine->running[number] && !machine->parked[number];
    return waits && (core->lines || (core->event && machine->wfe[number]));
}

/* Returns true if a core other than the one that runs is active, or is about to wake. */
static bool has_others(const struct tess_pi_machine *machine)
{
    for (unsigned i = 0; i < machine->core_count; i++)
        if (i != machine->current && machine->cores[i] &&
            (is_waking(machine, i) || is_active(machine, i)))
            return true;
    return false;
}

void machine_hurry(struct tess_pi_machine *machine)
{
    struct arm_core *core = machine->cores[machine->current];
    bool now = machine->alone && has_others(machine);
    uint64_t cycles = now ? 0 : machine_cycles(machine, next_event(machine));
    if (core && cycles < core->limit)
        core->limit = cycles;
    if (core && machine->ended) {
        core->pause = 0;
        core->pauses_early = true;
    }
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
        if (is_waking(machine, i))
            machine->running[i] = true;
        active += is_active(machine, i);
    }
    return active;
}

/* --- a core's part of a turn --- */

/* Sets the cycle at which a core pauses because of the run's goal. */
static void set_pause(struct tess_pi_machine *machine, unsigned number)
{
    const struct tess_pi_goal *goal = machine->goal;
    struct arm_core *core = machine->cores[number];
    uint64_t count = goal->count, done = machine->executed;
    uint64_t step = core->cycles + !goal->stepped;
    core->pause = UINT64_MAX;
    core->pauses_early = goal->early;
    if (count != UINT64_MAX)
        core->pause = core->cycles + (count > done ? count - done : 0);
    if (goal->steps && goal->core == number && step < core->pause)
        core->pause = step;
    if (machine->ended)
        core->pause = 0;
}

/* Prepares a core for its part of a turn, or for the rest of it. */
static void prepare(struct tess_pi_machine *machine, unsigned number)
{
    struct machine_turn *turn = &machine->turn;
    struct arm_core *core = machine->cores[number];
    machine->current = number;
    if (core->cycles < machine->cycles)
        core->cycles = machine->cycles;
    core->limit = turn->inside ? turn->limit : turn->end;
    if (machine->alone && machine->goal->cycles < core->limit)
        core->limit = machine->goal->cycles;
    core->watched = machine->watch != NULL;
    set_pause(machine, number);
}

/* Counts the instructions that a core has executed. */
static void count_executed(struct tess_pi_machine *machine, unsigned number)
{
    uint64_t cycles = machine->cores[number]->cycles - machine->counted;
    machine->executed += cycles;
    if (!cycles)
        return;
    machine->latest[number] = machine->executed;
    if (machine->goal->steps && machine->goal->core == number)
        machine->goal->stepped = true;
}

static void meet_breakpoint(struct tess_pi_machine *machine, unsigned number)
{
    if (machine->ended)
        return;
    machine->end.core = number;
    machine->end.pc = machine->options.engine->get(machine->cores[number], ARM_PC);
    machine_end(machine, TESS_PI_END_BREAKPOINT, "a breakpoint");
}

/* Runs a core up to the end of its part of the turn. Returns false if it has stopped before. */
static bool run_core(struct tess_pi_machine *machine, unsigned number)
{
    struct arm_core *core = machine->cores[number];
    prepare(machine, number);
    machine->counted = core->cycles;
    machine->counts = true;
    enum arm_stop stop = machine->options.engine->run(core);
    machine->counts = false;
    count_executed(machine, number);
    machine->turn.limit = core->limit;
    if (stop == ARM_WAIT_INTERRUPT || stop == ARM_WAIT_EVENT) {
        machine->running[number] = false;
        machine->wfe[number] = stop == ARM_WAIT_EVENT;
        machine_wait_for_event(machine, number);
    }
    machine->spins[number] = stop == ARM_IDLE;
    if (stop == ARM_IDLE && core->lines && core->cycles < core->limit)
        core->cycles = core->limit; /* with an interrupt that the core masks */
    if (stop == ARM_BREAKPOINT)
        meet_breakpoint(machine, number);
    if (stop == ARM_PAUSE && !machine->ended)
        machine->goal->reached = machine->ended = true;
    return stop != ARM_PAUSE && stop != ARM_BREAKPOINT;
}

/* --- turns --- */

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

/* Returns the cycle at which a turn of several cores ends: before the first core stops to wait, if
 * all have waited for some turns. */
static uint64_t end_of_turn(const struct tess_pi_machine *machine)
{
    enum { LONG_ENOUGH = 2 };
    const struct tess_pi_goal *goal = machine->goal;
    uint64_t start = machine->cycles, idle = goal->cycles;
    bool exact = goal->steps || goal->count != UINT64_MAX || machine->watch;
    for (unsigned i = 0; i < machine->core_count; i++)
        if (is_active(machine, i) && machine->cores[i]->idle_until < idle)
            idle = machine->cores[i]->idle_until;
    if (exact || machine->idle_turns < LONG_ENOUGH || idle < start + 2 * QUANTUM)
        return start + QUANTUM;
    return start + (idle - start) / QUANTUM * QUANTUM;
}

static void begin_turn(struct tess_pi_machine *machine, unsigned active)
{
    uint64_t next = machine_cycles(machine, next_event(machine));
    machine->alone = active == 1;
    uint64_t end = machine->alone ? next : end_of_turn(machine);
    machine->turn = (struct machine_turn){
        .on = true, .start = machine->cycles, .end = next < end ? next : end, .next = next};
}

/* Sets the board's time to the turn's end, or to the cycle of a core that is alone. */
static void end_turn(struct tess_pi_machine *machine)
{
    struct machine_turn *turn = &machine->turn;
    uint64_t reached = machine->alone ? machine->cores[machine->current]->cycles : turn->end;
    if (reached > machine->cycles)
        machine->cycles = reached;
    turn->on = false;
    count_idle_turns(machine, turn->start, turn->end);
    if (turn->end == turn->next)
        machine->idle_turns = 0;
}

/* Returns true if the goal of the run ends it after a core's part. */
static bool meets_count(const struct tess_pi_machine *machine)
{
    return machine->goal->early && machine->executed >= machine->goal->count;
}

/* Continues the turn up to its end, or to the end of the run. */
static void continue_turn(struct tess_pi_machine *machine)
{
    struct machine_turn *turn = &machine->turn;
    while (turn->core < machine->core_count && !machine->ended) {
        if (turn->inside || is_active(machine, turn->core)) {
            turn->inside = !run_core(machine, turn->core);
            if (turn->inside)
                return;
            if (meets_count(machine))
                machine->goal->reached = machine->ended = true;
            if (machine->alone)
                break; /* the core may have woken others, whose turn begins now */
        }
        turn->core++;
    }
    if (machine->alone || turn->core == machine->core_count)
        end_turn(machine);
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

bool machine_turn_is_valid(const struct machine_turn *turn)
{
    return turn->end - turn->start <= QUANTUM && turn->limit <= turn->end;
}

void machine_forget_spins(struct tess_pi_machine *machine)
{
    memset(machine->spins, 0, sizeof machine->spins);
}

/* Begins a turn, or moves the time to the next event. Returns false if no event comes. */
static bool begin(struct tess_pi_machine *machine)
{
    carry_out_events(machine);
    if (machine->watch && machine->watch(machine->watch_user)) {
        machine_end(machine, TESS_PI_END_WATCH, "a watched access");
        return false;
    }
    unsigned active = wake(machine);
    if (!active)
        return skip(machine, machine->goal->cycles);
    begin_turn(machine, active);
    return true;
}

enum tess_pi_end_reason tess_pi_machine_run_to(struct tess_pi_machine *machine,
                                               struct tess_pi_goal *goal)
{
    machine->ended = goal->reached = false;
    machine->inside = true;
    machine->goal = goal;
    machine->end = (struct tess_pi_end){.reason = TESS_PI_END_TIME};
    if (meets_count(machine))
        goal->reached = machine->ended = true;
    while (!machine->ended) {
        if (machine->turn.on) {
            continue_turn(machine);
            continue;
        }
        if (machine->cycles >= goal->cycles || !begin(machine))
            break;
    }
    machine->inside = false;
    machine->goal = NULL;
    if (machine->end.reason == TESS_PI_END_TIME || machine->end.reason == TESS_PI_END_WATCH)
        machine->end.core = machine->current;
    return machine->end.reason;
}

enum tess_pi_end_reason tess_pi_machine_run(struct tess_pi_machine *machine, uint64_t until)
{
    struct tess_pi_goal goal = {.cycles = machine_cycles(machine, until), .count = UINT64_MAX};
    return tess_pi_machine_run_to(machine, &goal);
}

enum tess_pi_end_reason tess_pi_machine_step(struct tess_pi_machine *machine, unsigned core)
{
    struct tess_pi_goal goal = {.cycles = machine->cycles + TESS_PI_STEP_CYCLES,
                                .count = UINT64_MAX,
                                .steps = true,
                                .core = core};
    return core < machine->core_count ? tess_pi_machine_run_to(machine, &goal) : TESS_PI_END_BROKEN;
}

void tess_pi_machine_stop(struct tess_pi_machine *machine)
{
    machine_end(machine, TESS_PI_END_STOPPED, "the caller ends the run");
}

const struct tess_pi_end *tess_pi_machine_get_end(const struct tess_pi_machine *machine)
{
    return &machine->end;
}
