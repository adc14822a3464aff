/* SPDX-License-Identifier: MIT */
/* time.c - the board's clock.
 *
 * In:  cycles of the ARM.
 * Out: nanoseconds, counts of the generic timers, rates of clocks.
 *
 * Choices: the ARM's clock has the rate of the options for the whole run. The mailbox tag that sets
 *          the rate changes only the rate that the tags report. */
#include "board/machine/machine.h"

#define SECOND UINT64_C(1000000000)

uint64_t machine_scale(uint64_t value, uint64_t by, uint64_t divisor)
{
    return value / divisor * by + value % divisor * by / divisor;
}

uint64_t machine_nanoseconds(const struct tess_pi_machine *machine, uint64_t cycles)
{
    return machine_scale(cycles, SECOND, machine->options.arm_rate);
}

uint64_t machine_cycles(const struct tess_pi_machine *machine, uint64_t nanoseconds)
{
    if (nanoseconds >= DEVICE_NEVER / 4)
        return UINT64_MAX;
    uint64_t cycles = machine_scale(nanoseconds, machine->options.arm_rate, SECOND);
    return cycles + (machine_nanoseconds(machine, cycles) < nanoseconds);
}

static uint64_t present_cycles(const struct tess_pi_machine *machine)
{
    const struct arm_core *core = machine->cores[machine->current];
    return core && core->cycles > machine->cycles ? core->cycles : machine->cycles;
}

uint64_t machine_now(struct tess_pi_machine *machine)
{
    uint64_t now = machine_nanoseconds(machine, present_cycles(machine));
    if (now > machine->horizon)
        machine->horizon = now;
    return machine->horizon;
}

uint64_t machine_count(const struct tess_pi_machine *machine)
{
    return local_count(&machine->states.local,
                       machine_nanoseconds(machine, present_cycles(machine)));
}
