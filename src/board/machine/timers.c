/* SPDX-License-Identifier: MIT */
/* timers.c - the generic timers of the cores.
 *
 * In:  control registers and compare values, which the engine keeps; the count.
 * Out: levels to the local interrupt controller.
 *
 * Source: ARM Architecture Reference Manual ARMv7-A, B8.1. */
#include "board/machine/machine.h"

#include "board/bcm2835/rate.h"

enum { ENABLE = 1, MASK = 2 };

static bool fires(const struct arm_timer_state *timer, uint64_t count)
{
    return (timer->control & (ENABLE | MASK)) == ENABLE && count >= timer->compare;
}

void machine_timers_update(struct tess_pi_machine *machine, unsigned core)
{
    uint64_t count = machine_count(machine);
    for (unsigned i = 0; i < ARM_TIMERS; i++)
        local_timer(&machine->states.local, core, i,
                    fires(&machine->cores[core]->timers[i], count));
    machine_update_lines(machine);
}

/* Returns the time at which a timer fires, or DEVICE_NEVER if it has fired or cannot. */
static uint64_t time_of(const struct arm_timer_state *timer, uint64_t count)
{
    if ((timer->control & (ENABLE | MASK)) != ENABLE || timer->compare <= count)
        return DEVICE_NEVER;
    return rate_time(timer->compare, MACHINE_TIMER_RATE);
}

uint64_t machine_timers_next(const struct tess_pi_machine *machine)
{
    uint64_t next = DEVICE_NEVER, count = machine_count(machine);
    if (machine->core_count == 1)
        return next;
    for (unsigned core = 0; core < machine->core_count; core++)
        for (unsigned i = 0; i < ARM_TIMERS; i++) {
            uint64_t own = time_of(&machine->cores[core]->timers[i], count);
            if (own < next)
                next = own;
        }
    return next;
}
