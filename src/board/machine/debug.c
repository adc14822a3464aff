/* SPDX-License-Identifier: MIT */
/* debug.c - registers, memory and breakpoints of the cores, for debuggers.
 *
 * In:  numbers of cores and registers, virtual addresses.
 * Out: values, bytes.
 *
 * Left out: peripherals, because a read of many registers has effects. */
#include "board/machine/machine.h"

#include <string.h>

enum { BREAKPOINTS = 64, PAGE_REST = 0xfff };

unsigned tess_pi_machine_core_count(const struct tess_pi_machine *machine)
{
    return machine->core_count;
}

bool tess_pi_machine_get_core(const struct tess_pi_machine *machine, unsigned number,
                              struct tess_pi_core *core)
{
    *core = (struct tess_pi_core){0};
    if (number >= machine->core_count)
        return false;
    *core = (struct tess_pi_core){
        .wide = machine->options.engine->is_64(machine->cores[number]),
        .waits = !machine->running[number],
        .parked = machine->parked[number],
        .cycles = machine->cores[number]->cycles,
        .latest = machine->latest[number],
    };
    return true;
}

static bool is_register(const struct tess_pi_machine *machine, unsigned core, unsigned number)
{
    bool wide = core < machine->core_count && machine->options.engine->is_64(machine->cores[core]);
    return core < machine->core_count &&
           (number < (wide ? 31 : 16) || (number >= TESS_PI_PC && number <= TESS_PI_PSR));
}

uint64_t tess_pi_machine_get_register(const struct tess_pi_machine *machine, unsigned core,
                                      unsigned number)
{
    return is_register(machine, core, number)
               ? machine->options.engine->get(machine->cores[core], number)
               : 0;
}

void tess_pi_machine_set_register(struct tess_pi_machine *machine, unsigned core, unsigned number,
                                  uint64_t value)
{
    if (!is_register(machine, core, number))
        return;
    machine->options.engine->set(machine->cores[core], number, value);
    machine_forget_spins(machine);
}

/* Returns the host address of a virtual address, and the number of bytes that follow in its
 * page. */
static uint8_t *host_of(const struct tess_pi_machine *machine, unsigned core, uint64_t address,
                        size_t *left)
{
    uint64_t physical;
    if (core >= machine->core_count ||
        !machine->options.engine->translate(machine->cores[core], address, &physical) ||
        physical >= machine->ram_size)
        return NULL;
    *left = PAGE_REST + 1 - (physical & PAGE_REST);
    return machine->ram + physical;
}

size_t tess_pi_machine_peek(const struct tess_pi_machine *machine, unsigned core, uint64_t address,
                            void *to, size_t size)
{
    size_t done = 0, left;
    const uint8_t *from;
    while (done < size && (from = host_of(machine, core, address + done, &left))) {
        size_t part = left < size - done ? left : size - done;
        memcpy((uint8_t *)to + done, from, part);
        done += part;
    }
    return done;
}

size_t tess_pi_machine_poke(struct tess_pi_machine *machine, unsigned core, uint64_t address,
                            const void *from, size_t size)
{
    size_t done = 0, left;
    uint8_t *to;
    while (done < size && (to = host_of(machine, core, address + done, &left))) {
        size_t part = left < size - done ? left : size - done;
        memcpy(to, (const uint8_t *)from + done, part);
        machine_loaded(machine, (uint32_t)(to - machine->ram), (uint32_t)part);
        done += part;
    }
    for (unsigned i = 0; done && i < machine->core_count; i++)
        machine->options.engine->forget_code(machine->cores[i], 0, machine->ram_size);
    machine_forget_spins(machine);
    return done;
}

static unsigned breakpoint_at(const struct tess_pi_machine *machine, uint64_t address)
{
    unsigned at = 0;
    while (at < machine->breakpoint_count && machine->breakpoints[at] != address)
        at++;
    return at;
}

bool tess_pi_machine_has_breakpoint(const struct tess_pi_machine *machine, uint64_t address)
{
    return breakpoint_at(machine, address) < machine->breakpoint_count;
}

bool tess_pi_machine_breakpoint(struct tess_pi_machine *machine, uint64_t address, bool set)
{
    unsigned at = breakpoint_at(machine, address);
    bool found = at < machine->breakpoint_count;
    if (found == set)
        return true;
    if (set && machine->breakpoint_count == BREAKPOINTS)
        return false;
    if (set)
        machine->breakpoints[machine->breakpoint_count++] = address;
    else
        machine->breakpoints[at] = machine->breakpoints[--machine->breakpoint_count];
    for (unsigned i = 0; i < machine->core_count; i++)
        machine->options.engine->breakpoint(machine->cores[i], address, set);
    return true;
}

struct tess_pi_place tess_pi_machine_place(const struct tess_pi_machine *machine)
{
    uint64_t more = machine->counts ? machine->cores[machine->current]->cycles - machine->counted
                                    : 0;
    return (struct tess_pi_place){
        .count = machine->executed + more, .cycles = machine->cycles, .in_turn = machine->turn.on};
}

uint64_t tess_pi_machine_cycles_at(const struct tess_pi_machine *machine, uint64_t time)
{
    return machine_cycles(machine, time);
}

void tess_pi_machine_watch(struct tess_pi_machine *machine, bool (*watch)(void *user), void *user)
{
    machine->watch = watch;
    machine->watch_user = user;
}

bool tess_pi_machine_note_accesses(struct tess_pi_machine *machine,
                                   const struct tess_pi_range *range, bool notes)
{
    const struct arm_range own = {range->first, range->last};
    bool good = true;
    for (unsigned i = 0; i < machine->core_count; i++)
        good &= machine->options.engine->note_accesses(machine->cores[i], &own, notes);
    return good;
}

void tess_pi_machine_forget_accesses(struct tess_pi_machine *machine)
{
    for (unsigned i = 0; i < machine->core_count; i++)
        machine->cores[i]->read = machine->cores[i]->written = (struct arm_range){1, 0};
}

void tess_pi_machine_get_accesses(const struct tess_pi_machine *machine, unsigned core,
                                  struct tess_pi_range *read, struct tess_pi_range *written)
{
    *read = *written = (struct tess_pi_range){1, 0};
    if (core >= machine->core_count)
        return;
    const struct arm_core *from = machine->cores[core];
    *read = (struct tess_pi_range){from->read.first, from->read.last};
    *written = (struct tess_pi_range){from->written.first, from->written.last};
}

uint64_t tess_pi_machine_v3d_writer(const struct tess_pi_machine *machine)
{
    return machine->v3d_writer;
}

uint64_t tess_pi_machine_access(const struct tess_pi_machine *machine)
{
    return machine->access;
}
