/* SPDX-License-Identifier: MIT */
/* timers.c - the generic timers of the cores.
 *
 * In:  control registers and compare values, which the engine keeps; the count.
 * Out: levels to the local interrupt controller; events that end wfe.
 *
 * The event stream of CNTKCTL sends an event at each change of a bit of the count, in one
 * direction.
 *
 * Source: ARM Architecture Reference Manual ARMv7-A, B8.1, and B4.1.26 for the event stream.
 * Choices: the stream is on if it is on when the core begins to wait.
 * Left out: the stream of CNTHCTL. */
#include "board/machine/machine.h"

enum { ENABLE = 1, MASK = 2, STREAM_FALLS = 1 << 3, STREAM_BIT_SHIFT = 4 };

static bool fires(const struct arm_timer_state *timer, uint64_t count)
{
    return (timer->control & (ENABLE | MASK)) == ENABLE && count >= timer->compare;
}

/* --- event streams --- */

void machine_wait_for_event(struct tess_pi_machine *machine, unsigned core)
{
    struct arm_core *own = machine->cores[core];
    uint64_t half = UINT64_C(1) << (own->event_stream >> STREAM_BIT_SHIFT & 15), count;
    count = machine_count(machine);
    if (!own->event_stream)
        own->event_count = 0;
    else if (own->event_stream & STREAM_FALLS)
        own->event_count = (count / (2 * half) + 1) * 2 * half;
    else
        own->event_count = ((count + half) / (2 * half) + 1) * 2 * half - half;
}

/* Returns true if the event stream wakes a core that waits for an event. */
static bool is_due(const struct tess_pi_machine *machine, unsigned core, uint64_t count)
{
    uint64_t due = machine->cores[core]->event_count;
    return !machine->running[core] && due && count >= due;
}

/* Returns the time of a core's next event, or DEVICE_NEVER. */
static uint64_t event_time(const struct tess_pi_machine *machine, unsigned core, uint64_t count)
{
    uint64_t due = machine->cores[core]->event_count;
    bool waits = !machine->running[core] && due > count;
    return waits ? local_time_of(&machine->states.local, due) : DEVICE_NEVER;
}

/* --- timers --- */

void machine_timers_update(struct tess_pi_machine *machine, unsigned core)
{
    uint64_t count = machine_count(machine);
    for (unsigned i = 0; i < ARM_TIMERS; i++)
        local_timer(&machine->states.local, core, i,
                    fires(&machine->cores[core]->timers[i], count));
    machine_update_lines(machine);
    if (is_due(machine, core, count))
        machine->running[core] = true;
}

/* Returns the time at which a timer fires, or DEVICE_NEVER if it has fired or cannot. */
static uint64_t time_of(const struct tess_pi_machine *machine, const struct arm_timer_state *timer,
                        uint64_t count)
{
    if ((timer->control & (ENABLE | MASK)) != ENABLE || timer->compare <= count)
        return DEVICE_NEVER;
    return local_time_of(&machine->states.local, timer->compare);
}

uint64_t machine_timers_next(const struct tess_pi_machine *machine)
{
    uint64_t next = DEVICE_NEVER, count = machine_count(machine);
    if (machine->core_count == 1)
        return next;
    for (unsigned core = 0; core < machine->core_count; core++) {
        uint64_t event = event_time(machine, core, count);
        next = event < next ? event : next;
        for (unsigned i = 0; i < ARM_TIMERS; i++) {
            uint64_t own = time_of(machine, &machine->cores[core]->timers[i], count);
            next = own < next ? own : next;
        }
    }
    return next;
}
