/* SPDX-License-Identifier: MIT */
/* v3d.c - the V3D in the board's time.
 *
 * In:  the present time; writes of the V3D's registers.
 * Out: the V3D's work, in slices; its interrupt line.
 *
 * The V3D runs in slices: a slice begins when the board's time has reached the end of
 * the slice before.
 *
 * Choices: a slice has SLICE steps. It takes the V3D clocks that the model counts, and at least one
 *          clock for each step. The effects of a slice are visible from its beginning on, the
 *          interrupt at its end. */
#include "board/machine/machine.h"

enum { SLICE = 64 };

static uint64_t clocks_to_time(const struct tess_pi_machine *machine, uint64_t count)
{
    uint32_t rate = tess_pi_clock_rate(machine->pi, TESS_PI_CLOCK_V3D);
    return rate ? machine_scale(count, DEVICE_SECOND, rate) : 0;
}

static uint64_t counted_clocks(const struct tess_pi_machine *machine)
{
    struct tess_vc4_stats stats;
    tess_vc4_get_stats(machine->vc4, &stats);
    return stats.clocks;
}

static void run_slice(struct tess_pi_machine *machine)
{
    uint64_t before = counted_clocks(machine);
    tess_vc4_set_step_limit(machine->vc4, SLICE);
    machine->v3d.busy = tess_vc4_run(machine->vc4) == TESS_VC4_PAUSED;
    uint64_t taken = counted_clocks(machine) - before;
    machine->v3d.time += clocks_to_time(machine, taken > SLICE ? taken : SLICE);
}

static void set_line(struct tess_pi_machine *machine)
{
    machine_line(machine, LINE_V3D, tess_vc4_interrupt_level(machine->vc4));
}

void machine_v3d_advance(struct tess_pi_machine *machine)
{
    uint64_t now = machine_now(machine);
    if (machine->v3d.time > now)
        return;
    set_line(machine);
    while (machine->v3d.busy && machine->v3d.time <= now) {
        set_line(machine);
        run_slice(machine);
    }
}

void machine_v3d_written(struct tess_pi_machine *machine)
{
    uint64_t now = machine_now(machine);
    if (!machine->v3d.busy && machine->v3d.time < now)
        machine->v3d.time = now;
    machine->v3d.busy = true;
    set_line(machine);
}

bool machine_v3d_is_busy(const struct tess_pi_machine *machine)
{
    return machine->v3d.busy || machine->v3d.time > machine->horizon;
}

uint64_t machine_v3d_next(const struct tess_pi_machine *machine)
{
    return machine_v3d_is_busy(machine) ? machine->v3d.time : DEVICE_NEVER;
}
